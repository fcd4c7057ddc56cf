"""Acts, which change a group or anything in it."""
