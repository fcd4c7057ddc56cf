"""Pages and template tools shared by all of ``scoring``."""
