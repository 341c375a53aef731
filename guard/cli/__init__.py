"""The command lines: `devkit-guard` and `devkit-engine`."""
