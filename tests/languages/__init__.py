"""The templates of `pitboss new bot`, each built and checked in every installed game."""
