"""Walks a script: pipes, lists, loops, conditionals, functions, redirects, and the texts that shells are given."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from guard import shell
from guard.classify import background, builtins, command, conditional, environment, granted, pipes, redirects
from guard.classify.budget import MAX_COMMANDS, MAX_SHELLS, Budget
from guard.classify.expand import Expander
from guard.classify.state import State, hole_over, some_of
from guard.model.argument import NOTHING, Argument, Printed, RunsShell
from guard.model.effect import Effect, Kind, Reason, opaque
from guard.model.record import assert_never
from guard.model.syntax import (
    ArithmeticCommand,
    ArithmeticFor,
    Case,
    Command,
    CommandList,
    Conditional,
    For,
    Function,
    Group,
    If,
    Pipeline,
    Redirect,
    Script,
    Simple,
    Span,
    Unreadable,
    While,
)


def classify_text(text: str, state: State, budget: Budget, depth: int = 0, *, own_lines: bool = True) -> list[Effect]:
    """Effects of a text that a shell runs in `state`; their spans are places in `text`.

    Not `own_lines`: a failed expansion in it leaves out the rest of the line that the text is run by (`eval`).
    """
    outer = budget.stops
    if own_lines:
        budget.stops = [] if "\n" in text else None
    effects = _classified(text, state, budget, depth, own_lines)
    budget.stops = outer
    return effects


def _classified(text: str, state: State, budget: Budget, depth: int, own_lines: bool) -> list[Effect]:
    if depth > MAX_SHELLS:
        return [opaque("bounds", f"more than {MAX_SHELLS} shells inside each other", Span(0, len(text)))]
    script = shell.parse(text)
    if isinstance(script, Unreadable):
        return [opaque(script.code, script.message, script.span)]
    budget.scripts.append(script)
    if script.body is None:
        return [opaque("empty", "there is no command to judge", Span(0, len(text)))]
    walk = Walk(text, budget, depth)
    walk.lines = script.body if own_lines else None
    walk.effects.append(Effect(Kind.READ, Reason("read", "runs in the shell", Span(0, len(text)))))
    walk.script(script, state)
    return walk.effects


def kept_actions(text: str, budget: Budget) -> list[Effect]:
    """Effects of the actions that shells kept, whenever they run: after all else in `text` was walked."""
    found = []
    while budget.later:
        run, state, depth = budget.later.pop()
        for effect in classify_text(run.text.text or "", state.at_any_time(), budget, depth + 1):
            span = run.text.span if depth == 0 else Span(0, len(text))
            found.append(effect._replace(reason=effect.reason._replace(span=span)))
    return found


class Walk:
    """One text. `effects` grow as the walk goes on; `calls` counts functions that are being walked."""

    def __init__(self, text: str, budget: Budget, depth: int) -> None:
        self.text = text
        self.budget = budget
        self.depth = depth
        self.effects: list[Effect] = []
        self.lines: Command | None = None
        """The list whose commands may stand on lines of their own."""
        self.expander = Expander(text, self.script, self.assigned, self.effects)
        self.expander.may_stop = budget.may_stop

    def script(self, script: Script, state: State) -> Printed:
        """Walks a script or substitution; what its output is bound to."""
        return NOTHING if script.body is None else self.command(script.body, state)

    def command(self, node: Command, state: State, stdin: Printed = NOTHING) -> Printed:
        """Walks any command and changes `state`; what its output is bound to. `stdin` bounds its standard input.

        A command whose redirect fails does not run, and bash goes on.
        """
        if not redirects.may_fail(getattr(node, "redirects", ())):
            return self.walked(node, state, stdin)
        before = state.copy()
        printed = self.walked(node, state, stdin)
        state.join(before)
        return printed

    def walked(self, node: Command, state: State, stdin: Printed) -> Printed:
        if isinstance(node, Simple):
            return self.simple(node, state, stdin)
        if isinstance(node, Pipeline):
            return self.pipeline(node, state)
        if isinstance(node, CommandList):
            return self.list(node, state, stdin)
        if isinstance(node, Function):
            self.budget.origins[id(node.body)] = self.expander.text
            state.define(node.name, node.body)
            if builtins.is_hook(node.name):
                message = f"the shell calls a function `{node.name}` by itself"
                self.effects.append(opaque("hook-function", message, node.span))
            return NOTHING
        text = self.redirects(node.redirects, state)
        if pipes.is_replaced(node.redirects):
            stdin = pipes.written(text)
        if isinstance(node, Group):
            printed = self.command(node.body, state.copy() if node.subshell else state, stdin)
            return printed if redirects.errors_apart(node.redirects) else NOTHING
        if isinstance(node, If):
            self.branches(node, state)
        elif isinstance(node, For):
            self.loop(node, state)
        elif isinstance(node, ArithmeticFor):
            self.expander.arithmetic(node.header, state)
            self.repeat(state, lambda inner: self.command(node.body, inner))
        elif isinstance(node, While):
            stdin = pipes.shared(stdin)
            parts = (node.condition, node.body)
            self.repeat(state, lambda inner: [self.command(part, inner, stdin) for part in parts])
        elif isinstance(node, Case):
            self.case(node, state)
        elif isinstance(node, Conditional):
            conditional.judge(node, state, self.expander, self.effects)
        elif isinstance(node, ArithmeticCommand):
            self.expander.arithmetic(node.expression, state)
        else:
            assert_never(node)
        return NOTHING

    def list(self, node: CommandList, state: State, stdin: Printed) -> Printed:
        stdin = stdin if len(node.commands) == 1 else pipes.shared(stdin)
        if all(operator in ("&&", "||") for operator in node.operators[: len(node.commands) - 1]) and (
            len(node.commands) > 1
        ):
            printed = self.conditional_list(node, state, stdin)
            self.background(node, len(node.commands) - 1, state)
            return printed
        printed = NOTHING
        for index, inner in enumerate(node.commands):
            if node is self.lines and index and "\n" in self.text[node.commands[index - 1].span.end : inner.span.start]:
                self.budget.next_line(state)
            background = index < len(node.operators) and node.operators[index] == "&"
            printed = self.command(inner, state.copy() if background else state, stdin)
            self.background(node, index, state)
        return printed if len(node.commands) == 1 else NOTHING

    def conditional_list(self, node: CommandList, state: State, stdin: Printed) -> Printed:
        """`a && b || c`: what each part sees depends on whether those before it succeeded."""
        printed = {self.command(node.commands[0], state, stdin)}
        succeeded, failed = _arrived(state), state.copy()
        for operator, inner in zip(node.operators, node.commands[1:], strict=False):
            if operator == "&&":
                printed.add(self.command(inner, succeeded, stdin))
                failed.join(succeeded)
                succeeded = _arrived(succeeded)
            else:
                printed.add(self.command(inner, failed, stdin))
                succeeded.join(_arrived(failed))
        failed.join(succeeded)
        _become(state, failed)
        # Several of them may print, one after the other.
        if len(printed) > 1:
            return NOTHING
        one = printed.pop()
        return Printed("numbers" if one.domain == "number" else one.domain, names=one.names)

    def background(self, node: CommandList, index: int, state: State) -> None:
        """A job in the background may outlive the command, unless a `wait` that is sure to run waits for it."""
        if index >= len(node.operators) or node.operators[index] != "&":
            return
        if not background.is_waited_for(node.commands[index + 1 :], state):
            span = node.commands[index].span
            message = "runs in the background and may outlive the command"
            reason = Reason("background", message, span, instead=background.INSTEAD)
            self.effects.append(Effect(Kind.PROCESS, reason))

    def pipeline(self, node: Pipeline, state: State) -> Printed:
        if len(node.commands) == 1:
            self.command(node.commands[0], state)
            return NOTHING
        printed = NOTHING
        for inner in node.commands:
            branch = state.copy()
            printed = self.command(inner, branch, printed)
        state.join(branch)
        return printed

    def branches(self, node: If, state: State) -> None:
        results = []
        for condition, body in node.branches:
            self.command(condition, state)
            branch = _arrived(state)
            self.command(body, branch)
            results.append(branch)
        if node.otherwise is not None:
            branch = state.copy()
            self.command(node.otherwise, branch)
            results.append(branch)
        for branch in results:
            state.join(branch)

    def case(self, node: Case, state: State) -> None:
        self.expander.value(node.subject, state)
        results = []
        for patterns, body in node.arms:
            for pattern in patterns:
                self.expander.value(pattern, state)
            if body is not None:
                branch = state.copy()
                self.command(body, branch)
                results.append(branch)
        for branch in results:
            state.join(branch)

    def loop(self, node: For, state: State) -> None:
        words = None if node.words is None else self.expander.words(node.words, state)
        value = state.value("@") if words is None else hole_over([_single(word) for word in words], node.span)

        self.assigned(node.name, value, node.span)

        def body(inner: State) -> None:
            inner.assign(node.name, value)
            self.command(node.body, inner)

        self.repeat(state, body)

    def repeat(self, state: State, body: Callable[[State], object]) -> None:
        """Walks a loop's body until what it sees does not change any more; at most a few times, values only widen."""
        for _ in range(6):
            before = len(self.effects)
            inner = state.copy()
            body(inner)
            if state.covers(inner):
                return
            state.join(inner)
            if self.budget.commands <= 0:
                return
            del self.effects[before:]
        self.effects.append(opaque("bounds", "a loop whose variables do not settle", Span(0, len(self.text))))

    def redirects(self, found: tuple[Redirect, ...], state: State) -> Argument | None:
        """Judges redirects; the text of the standard input, where a here-document or here-string gives it."""
        return redirects.judge(found, state, self.expander, self.budget.book, self.effects)

    def assigned(self, name: str, value: Argument | None, span: Span) -> None:
        """A variable that an expansion sets."""
        effect = environment.assigned(self.budget.book, name, value, False, span)
        if effect is not None:
            self.effects.append(effect)

    def simple(self, node: Simple, state: State, piped: Printed) -> Printed:
        self.budget.commands -= 1
        if self.budget.commands < 0:
            self.effects.append(opaque("bounds", f"more than {MAX_COMMANDS} commands", node.span))
            return NOTHING
        words = self.expander.words(node.words, state)
        stdin = self.redirects(node.redirects, state)
        program = words[0].text if words else None
        piped = pipes.of(node.redirects, program, piped, state)
        values = []
        for assignment in node.assignments:
            value = None
            parts: Sequence[Argument] = ()
            if assignment.array is not None:
                parts = self.expander.words(assignment.array, state)
                state.arrays |= {assignment.name}
            elif assignment.value is not None:
                value = self.expander.value(assignment.value, state)
            if assignment.append:
                parts = [*parts, *filter(None, (value, state.value(assignment.name)))]
            known = some_of(parts) if assignment.append or assignment.array is not None else value
            values.append((assignment.name, known))
        named = None if program in state.functions else granted.variables(words, values, self.budget.run)
        for assignment, (name, known) in zip(node.assignments, values, strict=True):
            effect = environment.assigned(self.budget.book, name, known, bool(node.words), assignment.span, program)
            if effect is not None and not (named and name in named):
                self.effects.append(effect)
        if not node.words:
            for name, known in values:
                state.assign(name, known)
            state.arrived = None
            return NOTHING
        state.arrived = None
        if not words:
            self.effects.append(opaque("dynamic-command", "the command is decided at run time", node.span))
            return NOTHING
        bodies = state.functions.get(program, ()) if program is not None else ()
        if values and (bodies or program in ("eval", ".", "source", "command", "builtin")):
            for name, _ in values:
                state.assign(name, None)
        for body in bodies:
            if body is not None:
                self.call(body, state, node.span, words[1:])
        if bodies and None not in bodies:
            return NOTHING
        judged = command.judge(self.budget.book, words, state, stdin, piped, node.span, self.budget.run, tuple(values))
        self.effects += judged.effects
        for run, where in judged.shells:
            self.shell(run, where)
        if bodies:
            return NOTHING  # it may be the function that ran
        if judged.program in ("read", "mapfile"):
            pipes.read(words, piped if stdin is None else pipes.written(stdin), state, node.span)
        return pipes.handed_on(judged.prints, piped) if redirects.errors_apart(node.redirects) else NOTHING

    def call(self, body: Command, state: State, span: Span, parameters: Sequence[Argument]) -> None:
        """A function call: its body runs here, with parameters of which only the names are known."""
        if state.depth >= 20:
            self.effects.append(opaque("bounds", "functions that call each other without end", span))
            return
        inner = state.copy()
        inner.depth += 1
        builtins.positional(inner, parameters, 1)
        text = self.expander.text
        self.expander.text = self.budget.origins[id(body)]
        self.command(body, inner)
        self.expander.text = text
        inner.depth = state.depth
        state.join(inner)

    def shell(self, run: RunsShell, state: State) -> None:
        """A text that a shell runs."""
        text = run.text.text
        if text is None:
            message = "the text that the shell runs is decided at run time"
            self.effects.append(opaque("dynamic-script", message, run.text.span))
            return
        inner = state if run.shell == "this" else state.copy()
        if run.shell == "child":
            inner.functions = {}
            inner.variables = {name: some_of([value]) for name, value in state.variables.items()}
            builtins.positional(inner, run.parameters, 0)
            inner.strict = run.strict
        own_lines = run.shell == "child"
        for effect in classify_text(text, inner, self.budget, self.depth + 1, own_lines=own_lines):
            span = _outer(effect.reason.span, run.text.at, run.text.span)
            self.effects.append(effect._replace(reason=effect.reason._replace(span=span)))
        if run.shell == "later":
            state.strict = True
            self.budget.later.append((run, state.copy(), self.depth))
            if not state.covers(inner):
                message = "an action that changes variables or functions at a time that is not known"
                self.effects.append(opaque("trap", message, run.text.span))


def _outer(span: Span, at: Sequence[int], whole: Span) -> Span:
    """A place in an inner text as a place in the outer one."""
    offsets = at[span.start : span.end]
    return Span(min(offsets), max(offsets) + 1) if len(offsets) else whole


def _arrived(state: State) -> State:
    """The state after success: a `cd` that just succeeded leaves one directory."""
    after = state.copy()
    if after.arrived is not None:
        after.directories = after.arrived
        after.arrived = None
    return after


def _become(state: State, other: State) -> None:
    for slot in State.__slots__:
        setattr(state, slot, getattr(other, slot))


def _single(word: Argument) -> Argument:
    """One word of a list that a loop goes over: from a glob or substitution it is a word like any of them."""
    return word._replace(many=False)
