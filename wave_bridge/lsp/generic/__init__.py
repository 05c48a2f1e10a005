"""The surface for editors that announce nothing of ours: sessions by means of standard LSP alone."""
