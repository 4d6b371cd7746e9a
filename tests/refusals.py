"""Words of readers for files that they do not accept."""

import json

import pytest

from pucklab.physics import InputError


def refused(read, *given, said, **named):
    """Check that a reader refuses what it is given.

    Args:
        read: The reader.
        given: What it is given.
        said: The place and what is accepted, as they stand in the error in this order; three
            dots stand for what is between, and a ``^`` in front for the error's beginning.
        named: What it is given by name.
    """
    with pytest.raises(InputError) as caught:
        read(*given, **named)
    message = str(caught.value)
    rest, first = message, said.split(" ... ")[0]
    assert not first.startswith("^") or message.startswith(first[1:]), message
    for part in said.removeprefix("^").split(" ... "):
        assert part in rest, f"{part!r} is not in {message!r}"
        rest = rest.partition(part)[2]
    assert len(message) <= 300
    assert "\n" not in message


def changed(facts, way, value):
    """Return JSON values with another one at the end of some keys; none there if it is ``gone``."""
    whole = part = json.loads(json.dumps(facts))
    for key in way[:-1]:
        part = part[key]
    part[way[-1]] = value
    if value == "gone":
        del part[way[-1]]
    return whole
