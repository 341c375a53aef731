"""Hook protocols of agent runtimes: one call in on standard input, one answer out."""
