"""Checks of data files. `rules` proves our own rule files."""
