"""The CLI that ships with the bridge: first run, demo, tests, offline. A program of its own behind `--stdio`."""
