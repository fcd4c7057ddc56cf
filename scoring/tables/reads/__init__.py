"""Reads of tables: state, log, record. Nothing here writes."""
