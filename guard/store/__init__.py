"""Where the engine keeps its state: one SQLite file, opened by engines to write and by the hook only to read.

`location` says where, `read` is the hook's way in (cheap, read-only, with a deadline), `connect` is the engines' way in
(creates, migrates), `repair` puts a file that cannot be read aside. Nothing here knows what a session is.
"""
