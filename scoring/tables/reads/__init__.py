"""Reading: where a table stands, its log and its record. Nothing here changes anything."""
