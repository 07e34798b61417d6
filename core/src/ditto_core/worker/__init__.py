"""Workers: which nodes there are, who handles them, and how many calls run at once."""
