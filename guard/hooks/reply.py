"""One event and its answer: what the process and the HTTP endpoint do alike."""

from __future__ import annotations

import os

from guard.hooks import base, runtimes
from guard.hooks.base import REFUSALS, Answer, MalformedError, Outcome
from guard.model.errors import GuardError, RuleError, StoreError
from guard.model.record import TYPE_CHECKING, NamedTuple
from guard.settings import STRICTEST, Settings, settings

if TYPE_CHECKING:
    from collections.abc import Mapping

    from guard.gate import Opinion
    from guard.hooks.base import Event


class Options(NamedTuple):
    """What the registration says; None where it leaves it to the configuration. `fault` is what is wrong with its mode,
    which then is `always`."""

    agent: str
    mode: str | None = None
    on_veto: str | None = None
    fault: str = ""


class Reply:
    """The work on one payload. It keeps what is known so far, so that a fault anywhere ends in the right form."""

    def __init__(self, options: Options, environ: Mapping[str, str]) -> None:
        self.options = options
        self.environ = environ
        self.adapter = runtimes.adapter(options.agent)
        self.settings = Settings(mode=options.mode or "step")
        self.event: Event | None = None
        self.opinion: Opinion | None = None
        self.outcome: Outcome | None = None
        self.broken = f" Mode always holds, as that of the hook is wrong: {options.fault}." if options.fault else ""

    def read(self, raw: bytes) -> None:
        """Takes the payload in. Raises MalformedError."""
        payload = base.payload(raw)
        adapter = runtimes.adapter_for(self.options.agent, payload)
        if adapter is None:
            raise MalformedError("the payload is that of no runtime that is known: register with --agent NAME")
        self.adapter = adapter
        found = adapter.decode(payload)
        if isinstance(found, base.Event):
            cwd = found.call.cwd
            if cwd is not None and not os.path.isdir(cwd):
                found = found._replace(call=found.call._replace(cwd=None))  # a folder that is not there is not believed
            self.event = found
            self.settings = self._settings(found.call.cwd)

    def answered(self) -> Answer:
        """The answer to the event that was read; silence for one that carries no decision."""
        if self.event is None:
            return base.SILENCE
        if self.event.kind in (base.TOOL, base.PERMISSION):
            self.outcome = self._judged(self.event)
        else:
            self.outcome = self._between(self.event)
        return self._encoded(self.outcome)

    def failed(self, error: BaseException) -> Answer:
        """The answer where no judgement was possible: a veto while anything binds, otherwise silence."""
        if self.event is not None and self.event.kind not in (base.TOOL, base.PERMISSION):
            return Answer(self.adapter.allow.stdout, _line(f"devkit-guard: {error}"), 0)
        if self.event is None:
            self.settings = self._settings(None)
        reason = f"devkit-guard: {error if isinstance(error, StoreError) else _what(error)}"
        if not isinstance(error, StoreError) and self.settings.mode == "step" and not anybody_bound():
            self.outcome = Outcome("allow", reason)
            return Answer(self.adapter.allow.stdout, _line(reason), 0)
        self.outcome = Outcome("veto", reason)
        return self._encoded(self.outcome)

    @property
    def vetoes(self) -> bool:
        """Whether the answer keeps the call from running; so it does while none was found."""
        return self.outcome is None or (self.outcome.decision in REFUSALS and self.settings.mode != "observe")

    def record(self, seconds: float) -> None:
        """Notes the decision in the log; whatever goes wrong there is the caller's to swallow."""
        if self.outcome is None or not self.settings.log:
            return
        from guard.hooks import recording

        recording.record(self, seconds)

    def _judged(self, event: Event) -> Outcome:
        from guard import gate

        approve = self.settings.on_allow == "approve" and self.adapter.approve is not None
        self.opinion = gate.opinion(
            event.call,
            always=self.settings.mode != "step",
            plan=self.settings.plan == "enforce",
            classify=approve,
            about_to_run=event.kind == base.TOOL,
        )
        if self.opinion.veto is not None:
            ask = self.settings.on_veto == "ask" and not self.opinion.final
            return Outcome("ask" if ask else "veto", f"{self.opinion.veto}{self._way_out(event)}{self.broken}")
        if self.opinion.reminder is None and approve and self.opinion.reads:
            return Outcome("approve")
        return Outcome("allow", self.opinion.reminder or "")

    def _way_out(self, event: Event) -> str:
        """For whoever reads a veto that no step explains: where to look, and where it could be changed."""
        from guard.gate import READING_MODES

        rule = "Mode always holds" if self.settings.mode == "always" else ""
        if self.settings.mode == "step" and event.call.mode in READING_MODES:
            rule = f"The runtime is in its mode {event.call.mode}"
        if not rule or self.opinion is None or self.opinion.final:
            return ""
        look = "`devkit-guard why last` shows the decision, " if self.settings.log else ""
        return f" ({rule}: {look}`devkit-guard status` where that is set.)"

    def _between(self, event: Event) -> Outcome:
        """What is said at the end and at the beginning of a turn: a stop is blocked once."""
        from guard import stops

        if event.kind == base.START:
            return Outcome("allow", stops.open_here(event.call) or "")
        unknown = event.kind == base.SUBAGENT_STOP and event.call.agent is None
        reason = None if event.again or unknown else stops.unfinished(event.call)
        return Outcome("allow") if reason is None else Outcome("veto", reason)

    def _settings(self, cwd: str | None) -> Settings:
        """The settings that hold in `cwd`. A file that is wrong is taken for the strictest, and vetoes say so."""
        try:
            given = settings(self.environ, cwd)
        except RuleError as error:
            given = STRICTEST
            self.broken += f" The strictest settings hold, as a file of settings is wrong: {error}."
        return given._replace(mode=self.options.mode or given.mode, on_veto=self.options.on_veto or given.on_veto)

    def _encoded(self, outcome: Outcome) -> Answer:
        kind = base.TOOL if self.event is None else self.event.kind
        if self.settings.mode == "observe" and outcome.decision in REFUSALS:
            return Answer(self.adapter.allow.stdout, _line(f"devkit-guard would veto: {outcome.reason}"), 0)
        return base.encode(self.adapter, kind, outcome)


def anybody_bound() -> bool:
    """Whether a step may bind a caller who cannot be told; so it is where that cannot be found out."""
    from guard import stops

    try:
        return stops.bound_anywhere()
    except BaseException:
        return True


def _what(error: BaseException) -> str:
    if isinstance(error, MalformedError):
        return f"{error}. Nothing was run; this is the guard's answer, not a crash."
    if isinstance(error, GuardError):
        return f"the guard failed ({error}); `devkit-guard classify` shows more."
    return f"the guard failed ({type(error).__name__}: {error}); `devkit-guard classify` shows more."


def _line(text: str) -> bytes:
    return text.encode("utf-8", "backslashreplace") + b"\n"
