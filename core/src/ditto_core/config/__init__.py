"""Configuration: one file, and the variables that it is given. Loading grants nothing and builds nothing."""
