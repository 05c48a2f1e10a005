"""Models: the scripted one and any OpenAI-compatible endpoint, as streams of the same events."""
