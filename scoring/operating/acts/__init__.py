"""Writing by the operator."""
