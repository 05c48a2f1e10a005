"""The CLI as a process: find, spawn, speak to, supervise. Knows neither sessions on disk nor editors."""
