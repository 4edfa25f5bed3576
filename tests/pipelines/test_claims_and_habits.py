"""The claim view and habits."""

from __future__ import annotations

from dataclasses import replace

from ledger_atoms import atom, day_span

from pipelines.claims import claims, claims_of_key
from pipelines.consolidate import consolidate
from pipelines.fold import fold_key, voids_left


def test_each_holder_has_his_own_line_and_open_denials_are_contested() -> None:
    told = [atom("2025-01-01", "Ola", "a"), atom("2025-02-01", "Ola", "b"), atom("2025-02-02", "Piet", "c")]
    rows = claims_of_key(told, "0" * 32)
    assert [(r.holder, r.value.norm, r.status) for r in rows] == [
        ("Ola", "a", "superseded"), ("Ola", "b", "contested"), ("Piet", "c", "contested")]  # fmt: skip


def test_judging_claims_never_meet_across_holders_in_the_ledger() -> None:
    told = [atom("2025-01-01", h, v, kind="claim", polarity=p, target="desk") for h, v, p in (
        ("Ola", "bad", "negative"), ("Piet", "good", "positive"))]  # fmt: skip
    rows = fold_key(told, "0" * 32)
    assert [(r.holder, r.status, r.polarity) for r in rows] == [
        ("Ola", "current", "negative"),
        ("Piet", "current", "positive"),
    ]
    assert {r.status for r in claims(told, {})} == {"contested"}


def test_three_events_in_thirty_days_are_a_habit_and_retellings_count_once() -> None:
    def hike(day: str, told: str) -> object:
        event = atom(told, "Ola", "ridge", kind="event", anchors=("hike", "ola"), relation="hike")
        return replace(event, subject="Ola", event_time=day_span(day))

    days = ["2025-03-01", "2025-03-10", "2025-03-20"]
    three = [hike(day, day) for day in days]
    habits = consolidate(three)  # type: ignore[arg-type]
    assert len(habits) == 1 and habits[0].count == 3
    assert str(habits[0].valid_from)[:10] == "2025-03-01" and str(habits[0].valid_to)[:10] == "2025-03-21"
    retold = [hike("2025-03-01", told) for told in ("2025-03-01", "2025-03-02", "2025-03-03")]
    assert consolidate(retold) == []  # type: ignore[arg-type]
    assert consolidate([*three, *three]) == habits  # type: ignore[arg-type]


def test_erasing_a_correction_leaves_a_void_and_erasing_an_update_reopens() -> None:
    wrong = atom("2025-01-01", "Ola", "640")
    right = atom("2025-01-03", "Ola", "460", cue="correction")
    later = atom("2025-02-01", "Ola", "500", cue="update")
    assert [r.value.norm for r in fold_key([wrong, right, later], "0" * 32)] == ["460", "500"]
    assert [r.value.norm for r in fold_key([wrong, later], "0" * 32, voids={wrong.atom_id})] == ["500"]
    assert [(r.value.norm, r.valid_to) for r in fold_key([wrong, right], "0" * 32)] == [("460", None)]


def test_a_void_of_a_set_is_about_one_member_and_names_no_value() -> None:
    both = atom("2025-01-01", "Ola", "harp", "drum", many=True)
    right = atom("2025-01-03", "Ola", "flute", cue="correction", corrects=("drum",), many=True)
    left = voids_left([both, right], {right.atom_id})
    assert len(left) == 1 and not any("drum" in void for void in left)
    assert [r.value.norm for r in fold_key([both], "0" * 32, voids=left)] == ["harp"]
    assert [r.value.norm for r in fold_key([both, right], "0" * 32, voids=left)] == ["flute", "harp"]
    assert [r.value.norm for r in fold_key([both], "0" * 32)] == ["drum", "harp"]


def test_who_went_over_to_another_value_is_not_shown_under_the_first() -> None:
    told = [atom("2025-01-01", "Ola", "a"), atom("2025-01-02", "Pia", "a"), atom("2025-01-05", "Ola", "b")]
    rows = {r.value.norm: r for r in fold_key(told, "0" * 32)}
    assert (rows["a"].holders, rows["b"].holders) == (("Pia",), ("Ola",))
    assert len(rows["a"].atoms) == 2 and {r.status for r in rows.values()} == {"contested"}
    back = {r.value.norm: r.holders for r in fold_key([*told, atom("2025-01-06", "Ola", "a")], "0" * 32)}
    assert back["a"] == ("Ola", "Pia")
