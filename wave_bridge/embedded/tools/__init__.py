"""The tools that the model may use, each a plain coroutine over one call."""
