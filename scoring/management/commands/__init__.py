"""What who runs the service asks for. Each command has a file of its own, for Django knows it by the file's name."""
