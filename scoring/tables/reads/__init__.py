"""Reads of tables: state, log, record. This package never writes."""
