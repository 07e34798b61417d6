"""The runtime: it routes calls to workers, bounds them in time and number, and ends them in order."""
