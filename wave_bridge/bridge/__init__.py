"""The daemon's state: the only place where clients, sessions, the CLI, the store and the providers meet."""
