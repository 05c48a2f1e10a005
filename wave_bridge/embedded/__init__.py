"""The CLI that ships with us: the stdio protocol of the Wave CLI, with a scripted model or any OpenAI-compatible one.

It stands in for the real CLI on a first run, offline, and in tests. It knows no daemon and no editor.
"""
