"""Shell commands: run, judged, and their output kept within bounds."""
