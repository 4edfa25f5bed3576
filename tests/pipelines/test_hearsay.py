"""Korean hearsay against what only looks like it."""

from __future__ import annotations

import pytest

from pipelines.extract import statements
from tests.pipelines.extract_cases import turns_of

HEARD = [
    # what is passed on, whose words they are
    ("도서관 곧 이전한대.", "unknown"),
    ("도서관 곧 이전한대요.", "unknown"),
    ("도서관이 작년에 이전했대.", "unknown"),
    ("그분 화가래요.", "unknown"),
    ("새 책이 나온다더라.", "unknown"),
    ("새 책이 나온다던데요.", "unknown"),
    ("새 책이 나왔다데.", "unknown"),
    ("새 책이 나온답니다.", "unknown"),
    ("다솜이가 내일 온다고 했어요.", "다솜"),
    ("다솜이가 내일 온다고 그랬어.", "다솜"),
    ("다솜이가 내일 온다고 말했어요.", "다솜"),
    ("다솜이한테서 공연이 취소됐다고 들었어요.", "다솜"),
    ("실장님이 회의가 길어진다고 하시던데요.", "실장님"),
    ("실장님께서 먼저 퇴근하라셨어요.", "실장님"),
    ("실장님이 먼저 퇴근하래요.", "실장님"),
    ("다솜이가 같이 뛰재.", "다솜"),
    ("다솜이가 같이 뛰자고 했어.", "다솜"),
    ("다솜이가 그러는데 공연이 취소됐대.", "다솜"),
    ("실장님이 그러시던데 공연이 취소됐대요.", "실장님"),
    ("다솜이 말로는 공연이 취소됐대.", "다솜"),
    ("실장님 말씀으로는 공연이 취소됐대요.", "실장님"),
    ("협회 공지에 따르면 공연이 취소됐다고 합니다.", "협회 공지"),
    ("뉴스에서 그러던데 공연이 취소됐대.", "뉴스"),
    ("공연이 취소된다는데 환불은 받았어요.", "unknown"),
    ("다솜이가 일요일까지 돌려준댔어.", "다솜"),
]
OWN = [
    "밖에 바람 불더라.",
    "먹어 보니까 국물이 진하던데.",
    "나 내일 일찍 일어날래.",
    "난 그냥 집에 있을래.",
    "그 카페는 오래 됐어.",
    "어제 모래를 두 포대 샀어.",
    "하루 종일 노래를 불렀어.",
    "아래층이 이사 갔어.",
    "미래가 기대된다.",
    "서울대에 합격했어.",
]
NOTHING = [
    "다솜이가 언제 오냬.",
    "엄마가 밥은 먹었냐고 물어보셨어.",
    "알았더라면 안 갔을 텐데.",
    "온대도 안 믿어.",
    "돈이 있었으면 샀을 텐데.",
    "왜 이렇게 늦는대?",
    "도서관 어디로 옮긴대요?",
]


def holders(text: str) -> list[tuple[str, tuple[str, ...]]]:
    turns = turns_of([{"turn_id": "t", "speaker": "하나", "said_at": "2025-06-18T10:00", "text": text}])
    return [(found.holder, found.relay) for found in statements(turns)]


@pytest.mark.parametrize(("text", "holder"), HEARD, ids=lambda value: value)
def test_heard(text: str, holder: str) -> None:
    assert holders(text)[:1] == [(holder, ("하나",))]


@pytest.mark.parametrize("text", OWN)
def test_own_words(text: str) -> None:
    assert all(holder == "하나" and not relay for holder, relay in holders(text))


@pytest.mark.parametrize("text", NOTHING)
def test_nothing_is_asserted(text: str) -> None:
    assert all(relay == () for _, relay in holders(text)) and not any(h != "하나" for h, _ in holders(text))
