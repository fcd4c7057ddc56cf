"""Reading for whoever runs an installation."""
