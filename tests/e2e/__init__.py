"""The tests in a browser. They are a package, for what has that scope ends with one, and with a plain folder never."""
