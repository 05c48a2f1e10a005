"""Session files: the very files that the Wave CLI reads and writes. Synchronous; knows no process and no editor."""
