"""A command line, or a tool call, held against a grant."""

from __future__ import annotations

import os

from guard import board, policy, settings
from guard.classify import Place, classify, doubts, mentions
from guard.classify import paths as path_rules
from guard.classify.targets import OWN_FILES, holds_home, holds_own, own, secret
from guard.classify.tools import use
from guard.model.call import ToolCall
from guard.model.effect import Effect, Kind, opaque
from guard.model.errors import GuardError
from guard.model.grant import Grant, Step
from guard.model.syntax import Span
from guard.model.verdict import Decision, Verdict
from guard.rulebook import Rulebook


def command(text: str, place: Place, grant: Grant, book: Rulebook, root: str | None = None) -> Verdict:
    """The verdict on a command line under a grant whose globs of paths are below `root`.

    Never raises for what the text says: a fault inside is a veto.
    """

    def refusal(effect: Effect) -> str | None:
        anywhere, delete = effect.kind in grant.effects, effect.kind is Kind.DELETE
        if effect.target is None or not os.path.isabs(effect.target):
            return "which files those are cannot be said" if anywhere else ""
        if anywhere:
            return path_rules.may_change(book, effect.target, place, delete=delete)
        if grant.write:
            return path_rules.may_write(book, effect.target, place, root, grant.write, delete=delete)
        return ""

    try:
        found = classify(text, place, book, grant.run)
        verdict = policy.decide(found.effects, grant, refusal)
        if verdict.decision is Decision.ALLOW:
            verdict = policy.decide((*found.effects, *doubts(found)), grant, refusal)
    except RecursionError:
        verdict = _fault("bounds", "nested too deeply to be judged", text)
    except GuardError as error:
        verdict = _fault("data", str(error), text)
    except Exception as error:
        verdict = _fault("internal", f"the classifier failed ({type(error).__name__}: {error}): please report it", text)
    return verdict


def _fault(code: str, message: str, text: str) -> Verdict:
    return policy.decide((opaque(code, message, Span(0, len(text))),), Grant(), lambda _: "")


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
        self._verdicts: list[tuple[tuple[Grant, str | None], Verdict]] = []

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
            why = self.refused_own() if kind == "unknown" else None
        return why if why is None or step.note in ("", why) else f"{why} {step.note}"

    def refused_own(self) -> str | None:
        """Why a tool that is known by name alone may not be called: it is given a path of the guard's own."""
        for text in self.call.texts():
            for path in mentions.paths(text, self.place.cwd or os.sep):
                why = own(self.book, path, self.place.home) or holds_own(self.book, path, least=1)
                if why is not None:
                    return f"`{text.strip()}` is or holds {why}."
        return None

    def refused_board(self) -> str | None:
        """Why the call would change files of a task board, which holds whether a step is open or not.

        Of a command that may do anything (a test run, a script) only what is plain to see is held against it.
        """
        kind, cwd = self.use.kind, self.place.cwd or os.sep
        written: tuple[str, ...] = ()
        removed: tuple[str, ...] = ()
        if kind == "write":
            written = self.use.paths
        elif kind == "unknown":
            written = tuple(path for text in self.call.texts() for path in mentions.paths(text, cwd))
        elif kind == "shell" and not self.use.problem:
            found = [effect for effect in self.judged(Grant(), None).effects if effect.target is not None]
            written = tuple(str(e.target) for e in found if e.kind in policy.ON_FILES or e.reason.code == OWN_FILES)
            removed = tuple(str(effect.target) for effect in found if effect.kind is Kind.DELETE)
        for path in (*written, *removed):
            whole = os.path.join(cwd, path)
            if "\0" not in path and (board.protected(whole) or (path in removed and board.holds(whole, cwd))):
                return (
                    f"`{path}` holds the task board, which only its tools change: use devflow_transition, "
                    "devflow_attach_artifact and the other devflow tools, or `devkit-engine board --help` at a shell."
                )
        return None

    def refused_in_shell(self, grant: Grant, root: str | None) -> str | None:
        """Why a call that runs a command does more than the grant allows; None for calls of other tools."""
        if self.use.kind == "other":
            return (
                f"{self.call.tool} is a shell that this guard does not read. Use Bash with a command that only reads."
            )
        if self.use.kind != "shell" and not self.use.command:
            return None
        if self.use.problem:
            return self.use.problem + "."
        self.verdict = verdict = self.judged(grant, root)
        if verdict.decision is Decision.ALLOW:
            return None
        from guard.report import grants
        from guard.report.verdicts import sentence

        shown = " ".join(sentence(reason, self.use.command) for reason in verdict.reasons[:3])
        return f"this command does more than {grants.beyond(grant)}, or could. {shown}"

    def judged(self, grant: Grant, root: str | None) -> Verdict:
        """The verdict on its command line, found out once for a grant."""
        for key, verdict in self._verdicts:
            if key == (grant, root):
                return verdict
        verdict = command(self.use.command, self.place, grant, self.book, root)
        if verdict.decision is Decision.ALLOW and self.use.assumed:
            verdict = self._elsewhere(grant, verdict) or verdict
        self._verdicts.append(((grant, root), verdict))
        return verdict

    def _elsewhere(self, grant: Grant, verdict: Verdict) -> Verdict | None:
        """A veto of an allowed command that may run elsewhere than in its place, if it writes files by other than their
        whole paths."""
        written = [effect for effect in verdict.effects if effect.kind in policy.ON_FILES]
        if not written:
            return None
        anywhere = classify(self.use.command, self.place._replace(cwd=None), self.book, grant.run).effects
        on_files = (effect for effect in anywhere if effect.kind in policy.ON_FILES)
        sure = {effect.target for effect in on_files if effect.target is not None and os.path.isabs(effect.target)}
        message = "may write in another folder than the runtime says: name files by their whole paths"
        found = [
            e._replace(kind=Kind.OPAQUE, reason=e.reason._replace(code="folder", message=message, instead=None))
            for e in written
            if e.target not in sure
        ]
        return policy.decide(tuple(found), grant, lambda _: "") if found else None

    def refused_reading(self, grant: Grant) -> str | None:
        """Why a file tool may not read these paths: they are secrets, or all that is below them holds some."""
        if Kind.READ_SECRET in grant.effects:
            return None
        cwd, home = self.place.cwd, self.place.home
        for path in self.use.paths or ((cwd,) if self.use.searches and cwd else ()):
            path = path.strip()
            real = path_rules.resolved(path, cwd) or path
            why = secret(self.book, path, home) or secret(self.book, real, home)
            if why is None and self.use.searches and (holds_home(path, home) or holds_home(real, home)):
                why = "the home directory or above it: all that is below is read, its credentials too"
            if why is not None:
                return f"`{path}` is {why}."
        return None

    def refused_writing(self, grant: Grant, root: str | None) -> str | None:
        """Why a file tool may not write these paths, every one of them judged."""
        globs = ("**",) if self.call.tool in grant.tools else grant.write
        for path in self.use.paths:
            # Some hosts take `link/../x` for `x` before they open it, or blanks off the ends, the kernel does not.
            for reading in dict.fromkeys((path, os.path.normpath(path), path.strip(), os.path.normpath(path.strip()))):
                why = path_rules.may_write(self.book, reading, self.place, root, globs)
                if why is not None:
                    return f"{why}."
        return None
