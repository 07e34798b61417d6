"""The ways to a server: over the standard streams of a process, over HTTP, and in this process."""
