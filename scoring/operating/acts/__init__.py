"""Writing by whoever runs an installation."""
