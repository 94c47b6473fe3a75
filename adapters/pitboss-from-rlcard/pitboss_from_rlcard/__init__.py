"""The games of RLCard as games of Pitboss: `rlcard_engine` puts a game behind `pitboss.foreign`."""
