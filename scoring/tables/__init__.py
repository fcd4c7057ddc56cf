"""Tables: their record and everything that is done at one."""
