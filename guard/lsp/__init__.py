"""The language server of rule files: a thin face of `guard.lint`, on pygls (the extra `lsp`)."""
