"""One segment's talk with a model, without the model: a generator that yields requests and is sent their replies.

Live calls, batch files and cached replies all drive the same steps, so they give the same atoms: ask; when the
reply was cut off, ask for half of it at a time; when something is wrong, say what and ask once more; then give up.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable
from dataclasses import dataclass

from lakehouse.records import Atom
from pipelines.llm.prompt import Request
from pipelines.llm.reply import Reply, answer_of
from pipelines.llm.verify import Fault, verify

SHORT = "Give at most five statements, the most telling ones."
"""What a reply about one short turn is told when it was cut off."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of one request: atoms that passed, turns that were answered in full, and what stayed wrong.

    `more` are requests to ask instead (a reply was cut off); `key` names the last reply, which is kept raw.
    """

    atoms: tuple[Atom, ...] = ()
    answered: frozenset[str] = frozenset()
    faults: tuple[Fault, ...] = ()
    key: str = ""
    repaired: bool = False
    more: tuple[Request, ...] = ()


def talk(request: Request) -> Generator[Request, Reply, Outcome]:
    """Ask, check, and have it put right once."""
    reply = yield request
    if reply.finish == "length" and (len(request.asked) > 1 or reply.text) and (halves := request.halves()):
        return Outcome(more=halves)  # a reply without text: the prompt was too long, and a part would not shorten it
    found, faults = judge(request, reply)
    if not faults:
        return _outcome(request, found, ())
    wrong = _places(request, faults)
    again = request.repair(reply, wrong, complaint(faults))
    second = yield again
    mended, left = judge(again, second)
    still = _places(again, left)
    for place in wrong:
        if place in still:
            found[place] = [*found.get(place, ()), *mended.get(place, ())]
        else:
            found[place] = mended[place]
    return _outcome(request, found, left, still, again.key, repaired=True)


def judge(request: Request, reply: Reply) -> tuple[dict[int, list[Atom]], list[Fault]]:
    """(atoms that pass by place, what is wrong) of one reply."""
    answer = answer_of(reply)
    if isinstance(answer, str):
        return {}, [Fault(0, 0, "whole_reply", answer)]
    return verify(request, answer)


def complaint(faults: Iterable[Fault]) -> str:
    """What a repair is told: where and what, in our words only.

    >>> print(complaint([Fault(3, 2, "quote_stands", "the quote does not stand in the turn letter for letter")]))
    Something is wrong with that reply:
    - turn 3, statement 2: the quote does not stand in the turn letter for letter.
    Reply again with all statements of the turns in <report>, put right; leave out what can't be.
    """
    lines = ["Something is wrong with that reply:"]
    for fault in faults:
        place = f"turn {fault.turn}" if fault.turn else "the whole"
        place += f", statement {fault.statement}" if fault.statement else ""
        lines.append(f"- {place}: {fault.says}.")
        if "cut off" in fault.says:
            lines.append(SHORT)
    return "\n".join(
        [*lines, "Reply again with all statements of the turns in <report>, put right; leave out what can't be."]
    )


def _places(request: Request, faults: Iterable[Fault]) -> list[int]:
    """The places to ask about again: those with something wrong, all when the whole is."""
    turns = {fault.turn for fault in faults}
    return [place for place in request.asked if 0 in turns or place + 1 in turns]


def _outcome(
    request: Request,
    found: dict[int, list[Atom]],
    faults: Iterable[Fault],
    still: Iterable[int] = (),
    key: str = "",
    *,
    repaired: bool = False,
) -> Outcome:
    left = set(still)
    atoms = {atom.atom_id: atom for place in sorted(found) for atom in found[place]}
    answered = frozenset(request.turns[place].turn_id for place in request.asked if place not in left)
    return Outcome(tuple(atoms.values()), answered, tuple(faults), key, repaired)
