"""Reads for the operator."""
