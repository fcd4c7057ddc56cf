"""Reads of disputes and rulings."""
