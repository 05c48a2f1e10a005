"""`wave-bridge demo`: the main job, shown and checked on the embedded CLI with real processes."""
