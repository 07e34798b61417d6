"""Where checks run a plugin: an event loop, a host, a workspace, and one call at a time or many."""
