"""Pages and template tools shared by all subjects."""
