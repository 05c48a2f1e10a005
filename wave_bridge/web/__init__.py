"""The browser side: a loopback door that serves the panel and carries its JSON-RPC. Beside lsp, above the bridge."""
