"""The light NamedTuple behaves as typing's does."""

from __future__ import annotations

import pickle
import typing

import pytest

from guard.model.record import NamedTuple, assert_never


class Light(NamedTuple):
    """One of each: required, with a default, with a default that is a name of tuple's."""

    first: int
    second: str = "two"
    third: tuple[int, ...] = ()


class Heavy(typing.NamedTuple):
    """The same fields."""

    first: int
    second: str = "two"
    third: tuple[int, ...] = ()


class More(Light):
    """A subclass has the same fields, whatever it annotates."""

    extra: int


CALLS: list[tuple[tuple[typing.Any, ...], dict[str, typing.Any]]] = [
    ((1,), {}),
    ((1, "x"), {}),
    ((1, "x", (2,)), {}),
    ((), {"first": 1}),
    ((1,), {"third": (3,)}),
    ((), {"third": (3,), "first": 1, "second": "y"}),
]
WRONG: list[tuple[tuple[typing.Any, ...], dict[str, typing.Any]]] = [
    ((), {}),
    ((1, "x", (), 4), {}),
    ((1,), {"first": 2}),
    ((1,), {"fourth": 2}),
    ((), {"second": "x"}),
]


@pytest.mark.parametrize(("values", "named"), CALLS)
def test_calls(values: tuple[typing.Any, ...], named: dict[str, typing.Any]) -> None:
    light, heavy = Light(*values, **named), Heavy(*values, **named)
    assert tuple(light) == tuple(heavy)
    assert (light.first, light.second, light.third) == tuple(heavy)
    assert light._asdict() == heavy._asdict()
    assert repr(light) == repr(heavy).replace("Heavy", "Light")
    assert tuple(light._replace(second="z")) == tuple(heavy._replace(second="z"))
    assert light._fields == heavy._fields
    assert pickle.loads(pickle.dumps(light)) == light
    assert type(Light._make(light)) is Light


@pytest.mark.parametrize(("values", "named"), WRONG)
def test_wrong_calls(values: tuple[typing.Any, ...], named: dict[str, typing.Any]) -> None:
    with pytest.raises(TypeError):
        Heavy(*values, **named)
    with pytest.raises(TypeError):
        Light(*values, **named)


def test_replacing_a_field_that_is_not_there() -> None:
    with pytest.raises(TypeError):
        Light(1)._replace(fourth=4)  # type: ignore[call-arg]


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(AttributeError):
        Light(1).first = 2  # type: ignore[misc]


def test_a_subclass_keeps_the_fields() -> None:
    assert More(1)._fields == ("first", "second", "third")


def test_matching() -> None:
    match Light(1, "x"):
        case Light(first, second):
            assert (first, second) == (1, "x")


def test_assert_never_fails_loudly() -> None:
    with pytest.raises(AssertionError, match="not expected here: 3"):
        assert_never(3)  # type: ignore[arg-type]
