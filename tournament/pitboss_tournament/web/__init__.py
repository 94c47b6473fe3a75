"""The web server: tournaments and recorded games in the browser. It only reads stores."""
