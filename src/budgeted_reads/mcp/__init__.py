"""The MCP face: tools over a node, for coding agents, on standard input and output. `server.serve` runs it."""
