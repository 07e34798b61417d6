"""The other way round: the tools that a runtime permits, as an MCP server."""
