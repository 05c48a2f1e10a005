"""Editor facts in, message text out. Pure: no I/O, no clock, no editor."""
