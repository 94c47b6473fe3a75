"""The games of OpenSpiel as games of Pitboss: `spiel_engine` puts a game behind `pitboss.foreign`."""
