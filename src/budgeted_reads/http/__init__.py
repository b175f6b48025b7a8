"""The HTTP face: the contract's routes over a node, on a loopback address. `server.serve` runs it."""
