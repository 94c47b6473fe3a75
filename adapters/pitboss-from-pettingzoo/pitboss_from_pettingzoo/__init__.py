"""PettingZoo's games as games of Pitboss: `zoo_engine` puts an environment behind `pitboss.foreign`."""
