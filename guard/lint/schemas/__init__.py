"""JSON Schemas of our own files, for editors: `NAME.schema.json` beside this module, made by `build`.

    # yaml-language-server: $schema=…/guard/lint/schemas/rule.schema.json

They say what the shapes are; the readers check in addition what one part of a file says about another.
"""
