"""A record of what the library gives, to be compared after a change; see ``__main__``."""
