"""What happened: records answer, opinions never, and what is passed on is told with who passed it on."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from quality.predict_answers import atoms_of
from retrieval.answer import Answer, answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question


def ask(question: str, *told: tuple[str, str], as_of: datetime | None = None) -> Answer:
    arrivals = [
        {"doc": f"d{n}", "said_at": f"2025-04-0{n + 1}T10:00", "speaker": who, "text": text}
        for n, (who, text) in enumerate(told)
    ]
    return answer(frame_question(question, datetime(2025, 5, 1, tzinfo=UTC)), AtomMemory(atoms_of(arrivals)), as_of)


@pytest.mark.parametrize(
    ("question", "told"),
    [
        ("What happened to Ines?", [("Ines", "I crashed my bike on Saturday."),
                                    ("Goran", "I think Ines rides far too fast."),
                                    ("Mila", "In my opinion Ines should buy a helmet.")]),
        ("What's going on with the greenhouse?", [("Ines", "The greenhouse burned down on Friday."),
                                                  ("Goran", "The greenhouse was a waste of money, if you ask me.")]),
        ("소율이한테 무슨 일이 있었어?", [("소율", "나 지난주에 자전거 타다가 넘어졌어."),
                                  ("태겸", "소율이는 너무 빨리 타는 것 같아.")]),
    ],
)  # fmt: skip
def test_a_record_answers_and_an_opinion_never(question: str, told: list[tuple[str, str]]) -> None:
    assert ask(question, *told).evidence[0][0] == "d0:1"
    opinions = ask(question, *told[1:])
    assert opinions.status == "unknown" and not opinions.evidence


def test_what_is_passed_on_is_told_with_its_source() -> None:
    found = ask("What happened to Ines?", ("Mila", "Goran told me that Ines broke her wrist."))
    assert found.evidence and "Goran" in found.text and "Mila" in found.text


def test_nothing_that_was_said_later() -> None:
    told = [("Ines", "I crashed my bike."), ("Ines", "I sold my bike.")]
    found = ask("What happened to Ines?", *told, as_of=datetime(2025, 4, 2, tzinfo=UTC))
    assert [turn for turn, _ in found.evidence] == ["d0:1"]
