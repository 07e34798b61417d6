"""MCP servers: the registry of their clients, what they offer, and calls of their tools. No SDK, no connection."""
