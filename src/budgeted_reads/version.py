"""The version of the program, a literal, so that telling it costs nothing."""

VERSION = "0.1.0"
