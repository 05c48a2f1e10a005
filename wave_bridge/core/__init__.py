"""Sans-IO: bytes and values only. Waits for nothing, logs nothing, knows no editor, no process and no clock."""
