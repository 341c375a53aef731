"""Programs by what they are for, for the words of a finding, never for a verdict."""

from __future__ import annotations

INTERPRETERS = frozenset(
    (
        *("sh", "bash", "zsh", "dash", "ksh", "fish", "python", "python2", "python3", "node", "nodejs", "deno"),
        *("bun", "ruby", "perl", "php", "lua", "Rscript", "julia", "osascript", "pwsh", "powershell", "tclsh"),
        *("expect", "ipython", "irb", "groovy", "scala", "elixir", "erl", "ghci", "source", "."),
    )
)
RUNNERS = frozenset(
    (
        *("env", "xargs", "sudo", "doas", "su", "nohup", "nice", "ionice", "timeout", "time", "stdbuf"),
        *("setsid", "watch", "parallel", "npx", "bunx", "pnpx", "uvx", "pipx", "direnv", "mise", "asdf", "rtx"),
        *("nix-shell", "nix", "devbox", "poetry", "uv", "hatch", "pdm", "pixi", "conda", "exec", "command"),
        *("builtin", "eval", "chroot", "unshare", "flock", "script", "ssh", "strace", "ltrace", "gdb", "entr"),
        *("find-exec", "busybox", "toybox", "rustup", "dotenv", "op", "doppler", "infisical", "chronic"),
        *("caffeinate",),
    )
)
CONTAINERS = frozenset(
    (
        *("docker", "podman", "nerdctl", "docker-compose", "kubectl", "oc", "lxc", "multipass", "vagrant"),
        *("machinectl", "distrobox"),
    )
)
PROJECT = frozenset(
    (
        *("npm", "yarn", "pnpm", "make", "gmake", "cmake", "ninja", "cargo", "go", "pip", "pip3", "bundle"),
        *("rake", "gradle", "gradlew", "mvn", "ant", "just", "task", "tox", "nox", "pytest", "jest", "vitest"),
        *("mocha", "eslint", "prettier", "tsc", "tsx", "webpack", "vite", "next", "rollup", "turbo", "nx"),
        *("lerna", "composer", "phpunit", "dotnet", "swift", "mix", "rebar3", "sbt", "bazel", "buck2", "meson"),
        *("scons", "pre-commit", "poe", "invoke", "grunt", "gulp", "rspec", "cypress", "playwright"),
        *("terraform", "pulumi", "ansible-playbook", "tofu", "ruff", "mypy", "black", "isort", "flake8", "pylint"),
        *("pyright", "coverage", "sphinx-build", "mkdocs", "stylelint", "biome", "rubocop", "golangci-lint"),
    )
)
_RUN_VERBS = frozenset({"run", "exec", "x", "dlx", "tool", "shell", "-c", "-m", "."})
"""Words behind the name of a runner that name no program themselves; `.` is a folder there."""
_ENTER_VERBS = frozenset({"run", "exec", "create", "cp", "apply", "attach", "debug", "ssh", "up", "build"})


def inner(words: list[str], names: frozenset[str]) -> list[str]:
    """The words from the program on that the line of a runner already names (`uv run pytest` → `pytest`); none where
    any program may follow. `names` are all known programs."""
    for at, word in enumerate(words[1:], 1):
        if word not in _RUN_VERBS and (word in names or word in PROJECT or word in INTERPRETERS):
            return words[at:]
    return []


def carries(words: list[str], names: frozenset[str]) -> bool:
    """Whether these words begin a line in which any other program may be named."""
    if words[0] in CONTAINERS:
        return len(words) == 1 or not _ENTER_VERBS.isdisjoint(words[1:])
    return words[0] in RUNNERS and not inner(words, names)


def names_script(words: list[str]) -> bool:
    """Whether the line of an interpreter names the script or module that is run, and not a text."""
    letters = "".join(word[1:] for word in words[1:] if word.startswith("-") and not word.startswith("--"))
    return any(not word.startswith("-") for word in words[1:]) and not {"c", "e"} & set(letters)


WRITERS = frozenset({"echo", "printf", "cat", "tee"})
"""Programs that print what their caller says: with a redirect they write any file."""

FRAGMENTS = frozenset(
    (
        *("do", "done", "then", "fi", "else", "elif", "esac", "in", "for", "while", "until", "if", "case", "{", "}"),
        *("EOF", "&&", "||", "|", ";", "&", "\\", "!", "(", ")"),
    )
)
"""Words that begin no command that somebody meant to allow."""
SHELLS = frozenset({"sh", "bash", "zsh", "dash", "ksh"})
