"""Wave Bridge: one daemon between editors and the Wave coding agent."""

__version__ = "0.1.0"
