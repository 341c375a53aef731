"""A command line, or a tool call, held against a grant."""

from __future__ import annotations

import os

from guard import policy, settings
from guard.classify import Place, classify, doubts
from guard.classify import paths as path_rules
from guard.classify.targets import secret
from guard.classify.tools import use
from guard.model.call import ToolCall
from guard.model.effect import Kind, opaque
from guard.model.errors import GuardError
from guard.model.grant import READ_ONLY, Grant, Step
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook


def command(text: str, place: Place, grant: Grant, book: Rulebook, root: str | None = None) -> Verdict:
    """The verdict on a command line under a grant whose globs of paths are below `root`.

    Never raises for what the text says: a fault inside is a veto.
    """

    def may_write(path: str) -> bool:
        return bool(grant.write) and path_rules.may_write(book, path, place, root, grant.write) is None

    try:
        found = classify(text, place, book, grant.run)
        verdict = policy.decide(found.effects, grant, may_write)
        if verdict.decision is Decision.ALLOW:
            verdict = policy.decide((*found.effects, *doubts(found)), grant, may_write)
    except RecursionError:
        verdict = _fault("bounds", "nested too deeply to be judged", text)
    except GuardError as error:
        verdict = _fault("data", str(error), text)
    except Exception as error:
        verdict = _fault("internal", f"the classifier failed ({type(error).__name__}: {error}): please report it", text)
    return verdict


def _fault(code: str, message: str, text: str) -> Verdict:
    return policy.decide((opaque(code, message, Span(0, len(text))),), Grant())


def place_of(cwd: str | None) -> Place:
    """Where a call runs, by what the runtime says: a directory that is not there, or not absolute, is not believed."""
    home = os.environ.get("HOME", "")
    known = cwd is not None and os.path.isabs(cwd) and os.path.isdir(cwd)
    return Place(os.path.normpath(cwd) if known and cwd else None, home if os.path.isabs(home) else None)


def rules_at(cwd: str | None) -> Rulebook:
    """The rules that hold in a directory: the shipped ones, the user's and the repository's, where they are there."""
    mine = settings.user_folder(os.environ)
    user = None if mine is None else os.path.join(mine, "rules")
    local = settings.repository_file(cwd, "commands")
    repository = None if local is None else os.path.dirname(local)
    return Rulebook(None, user if user and os.path.isdir(user) else None, repository)


class Case:
    """One call under judgement."""

    def __init__(self, call: ToolCall) -> None:
        self.call = call
        self.book = rules_at(call.cwd)
        self.use = use(call, self.book)
        self.place = place_of(self.use.cwd if self.use.kind == "shell" else call.cwd)
        self.verdict: Verdict | None = None
        """The last verdict on its command line."""

    def refused(self, step: Step) -> str | None:
        """Why the call may not run while the step is open, or None if it may."""
        grant, kind, tool = step.grant, self.use.kind, self.call.tool
        why: str | None = f"{tool} is not granted by this step."
        if step.delegate and grant.subagents == "none":
            why = "sub-agents may not call tools while it is open."
        elif kind == "harmless":
            why = None
        elif step.engine_runs:
            why = step.note or f"the engine runs its command; until then {tool} has to wait."
        elif self.use.problem:
            why = self.use.problem + "."
        elif kind == "shell":
            why = self.refused_in_shell(grant, step.repository)
        elif kind == "read":
            why = self.refused_reading(grant)
        elif kind == "write":
            why = self.refused_writing(grant, step.repository)
        elif tool in grant.tools or (kind == "subagent" and grant.subagents != "none"):
            why = None
        return why if why is None or step.note in ("", why) else f"{why} {step.note}"

    def refused_in_shell(self, grant: Grant, root: str | None) -> str | None:
        """Why a shell call does more than the grant allows; None for calls of other tools."""
        if self.use.kind == "other":
            return (
                f"{self.call.tool} is a shell that this guard does not read. Use Bash with a command that only reads."
            )
        if self.use.kind != "shell":
            return None
        if self.use.problem:
            return self.use.problem + "."
        self.verdict = verdict = command(self.use.command, self.place, grant, self.book, root)
        if verdict.decision is Decision.ALLOW:
            return None
        from guard.report.verdicts import sentence

        shown = " ".join(sentence(reason, self.use.command) for reason in verdict.reasons[:3])
        granted = ", ".join(sorted(kind.value for kind in grant.effects - READ_ONLY))
        allowed = f"read ({granted} is granted too)" if granted else "read"
        return f"this command does more than {allowed}, or could. {shown}"

    def refused_reading(self, grant: Grant) -> str | None:
        """Why a file tool may not read these paths: they are secrets."""
        for path in self.use.paths:
            real = path_rules.resolved(path, self.place.cwd)
            why = secret(self.book, path, self.place.home) or secret(self.book, real or path, self.place.home)
            if why is not None and Kind.READ_SECRET not in grant.effects:
                return f"`{path}` is {why}."
        return None

    def refused_writing(self, grant: Grant, root: str | None) -> str | None:
        """Why a file tool may not write these paths, every one of them judged."""
        globs = ("**",) if self.call.tool in grant.tools else grant.write
        for path in self.use.paths:
            why = path_rules.may_write(self.book, path, self.place, root, globs)
            if why is not None:
                return f"{why}."
        return None
