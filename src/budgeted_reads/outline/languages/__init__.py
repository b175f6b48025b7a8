"""One table of facts per language: which nodes of its grammar are definitions, and how each is named."""
