"""The five entries: each takes the requests of one mode, and hands them to the one controller."""
