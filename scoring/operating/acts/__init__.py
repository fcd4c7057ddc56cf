"""Acts of the operator."""
