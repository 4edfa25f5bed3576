"""What must hold of extraction whatever the text."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pipelines.extract import extract
from pipelines.language import detect
from pipelines.timex import find, resolve
from tests.pipelines.extract_cases import turns_of

WORDS = st.sampled_from(
    "I you she they said says told me that thinks heard from according to apparently the app lift Ana Bo is was not never good"
    " awful yesterday tomorrow on Friday in 2024 May if would please ? ! . , \" ' : ; - \n 나 너 저는 그가 이 가 은 를 다솜이가 실장님이"
    " 한테 좋다고 싫대 했어 했대 온다더라 뛰재 하래 냬 그러는데 말로는 에 따르면 어제 내일 3월 2일 작년 요 ㅋㅋ 😀 é ß 中 مر http://a.b = 300".split(
        " "
    )
)
TEXTS = st.one_of(
    st.text(max_size=80), st.lists(WORDS, max_size=24).map(" ".join), st.lists(WORDS, max_size=24).map("".join)
)
FEW = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


def rows(texts: list[str]) -> list[dict[str, str]]:
    return [
        {"turn_id": f"t{i}", "speaker": ("Ana", "하나")[i % 2], "said_at": f"2025-06-18T10:{i:02d}", "text": text}
        for i, text in enumerate(texts)
    ]


@FEW
@given(st.lists(TEXTS, min_size=1, max_size=5))
def test_never_fails_and_quotes_what_is_written(texts: list[str]) -> None:
    turns = turns_of(rows(texts))
    text_of = {turn.turn_id: turn.text for turn in turns}
    for atom in extract(turns):
        assert atom.evidence and atom.holder and atom.content
        assert all(text_of[span.turn_id][span.start : span.end] == span.quote for span in atom.evidence)
        assert (atom.polarity is None) == (atom.kind != "claim")
        if atom.relay:
            assert atom.kind == "claim" and atom.relay[-1] in ("Ana", "하나")
        else:
            assert atom.holder in ("Ana", "하나")


@FEW
@given(TEXTS, st.sampled_from(["en", "ko"]))
def test_times_lie_inside_their_text(text: str, language: str) -> None:
    from datetime import datetime

    said = datetime(2024, 2, 29, 23, 59)
    for start, end, span in find(text, said, "ko" if language == "ko" else "en"):
        assert 0 <= start < end <= len(text) and span.start <= span.end
    resolve(text[:40], said, "ko" if language == "ko" else "en", text)


def test_one_document_does_not_change_another() -> None:
    """The Korean analyser is shared: names of one document must not leak into the next."""
    first = turns_of(rows(["다솜이가 온대요.", "누리는 어제 왔어."]), "first")
    other = turns_of(
        [{"turn_id": "x", "speaker": "누리", "said_at": "2025-06-18T10:00", "text": "누리랑 다솜이는 집에 있대."}],
        "other",
    )
    before = extract(first)
    extract(other, names=["누리", "다솜이가", "어제"])
    assert extract(first) == before


def test_language_of_a_turn() -> None:
    found = [
        detect(text) for text in ("Where is it?", "어디야?", "你好吗", "Wo ist das Buch? Ich habe es nicht.", "🎉", "")
    ]
    assert found == ["en", "ko", "other", "other", "other", "other"]
    assert extract(turns_of(rows(["你好吗", "Ich habe das Buch nicht gesehen und es ist weg.", "🎉", ""]))) == []


def test_very_long_text_is_read_in_part() -> None:
    assert extract(turns_of(rows(["x" * 100_000, "가" * 100_000, "ha " * 40_000]))) is not None
