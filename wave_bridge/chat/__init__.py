"""A session as a text document: messages in, Markdown and line edits out. No I/O, no LSP, no clock."""
