"""Tools: what they are, how they are registered, and how one call runs."""
