"""Answers: their forms, their evidence, and what they never give."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

from quality.predict_answers import atoms_of
from retrieval.answer import answer
from retrieval.memory import AtomMemory
from retrieval.question import frame_question

NOW = datetime(2025, 6, 1, 12, tzinfo=UTC)


def ask(
    question: str, *told: tuple[str, str, str], as_of: str | None = None, as_told: str | None = None
) -> dict[str, Any]:
    arrivals = [
        {"doc": f"d{i}", "said_at": f"{day}T10:00", "speaker": who, "text": text}
        for i, (day, who, text) in enumerate(told)
    ]
    moment = datetime.fromisoformat(as_of).replace(tzinfo=UTC) if as_of else None
    told_by = datetime.fromisoformat(as_told).replace(tzinfo=UTC) if as_told else None
    return answer(frame_question(question, NOW), AtomMemory(atoms_of(arrivals)), moment, told_by).as_json()


PORT = (("2025-01-08", "Odile", "The mail relay listens on port 2525."),
        ("2025-02-19", "Odile", "I moved the mail relay to port 2587."))  # fmt: skip


def test_a_value_comes_with_its_holder_interval_and_quote() -> None:
    given = ask("Which port does the mail relay listen on?", *PORT)
    assert "2587" in given["answer"]["value"]
    assert given["holders"] == ["Odile"]
    assert given["valid"][0].startswith("2025-02-19") and given["valid"][1] is None
    assert [e["quote"] for e in given["evidence"]] == ["I moved the mail relay to port 2587."]
    assert given["trace"]


def test_as_of_and_as_told_give_the_value_of_their_time() -> None:
    assert "2525" in ask("Which port does the mail relay listen on?", *PORT, as_of="2025-01-21")["answer"]["value"]
    assert "2525" in ask("Which port does the mail relay listen on?", *PORT, as_told="2025-02-01")["answer"]["value"]
    assert ask("Which port does the mail relay listen on?", *PORT, as_of="2024-12-01")["answer"] == {
        "status": "unknown"
    }


def test_contested_shows_both_values_and_both_holders() -> None:
    given = ask("How many desks does the studio have?", ("2025-03-01", "Ola", "The studio has 12 desks, I counted."),
                ("2025-03-01", "Piet", "The studio has 14 desks, I counted them too."))  # fmt: skip
    assert given["answer"]["status"] == "contested"
    assert given["holders"] == ["Ola", "Piet"] and len(given["answer"]["values"]) == 2


def test_nothing_that_was_said_answers_is_not_known_and_shows_the_nearest_sentence() -> None:
    given = ask("Who repairs the kiln?", ("2025-03-01", "Ola", "The studio has 12 desks."))
    assert given["answer"] == {"status": "unknown"}


def test_a_record_question_leaves_out_what_judges() -> None:
    given = ask("When does the bakery close?", ("2025-03-01", "Ola", "The bakery closes at 18:00."),
                ("2025-03-02", "Piet", "I think the bakery is overpriced."))  # fmt: skip
    assert given["answer"]["value"] == "18:00" and given["holders"] == ["Ola"]


def test_yes_and_no_in_the_language_of_the_question() -> None:
    assert ask("Does Hedda drink coffee?", ("2025-03-01", "Hedda", "I don't drink coffee."))["answer"] == {
        "value": "no"
    }
    assert ask("설아 커피 마셔?", ("2025-03-01", "설아", "저 커피 안 마셔요."))["answer"] == {"value": "아니요"}
