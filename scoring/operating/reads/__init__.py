"""Reading for the operator."""
