"""The terminal session picker: `wave-bridge sessions`, and `/resume` of the chat."""
