"""`wave-bridge chat`: a plain chat in the terminal on the embedded CLI."""
