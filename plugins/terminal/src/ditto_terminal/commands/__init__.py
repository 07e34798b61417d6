"""The commands, as the terminal knows them: one module each, with their options and their help."""
