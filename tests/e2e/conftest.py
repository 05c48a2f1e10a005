"""Fixtures of the end-to-end tests."""

from machine import editor, flags, machine, work  # noqa: F401 - fixtures
