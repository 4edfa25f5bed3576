"""Archives in: every format's shape, and every kind of bad input, kept or refused with its reason."""

from __future__ import annotations

import io
import json
from collections import Counter
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lakehouse.errors import InputError
from lakehouse.records import Reject, Turn
from pipelines.ingest.read import FORMATS, files_of, read_file
from pipelines.ingest.source import ReadOptions, Source
from pipelines.ingest.when import said


def read(data: bytes | str, name: str = "a.jsonl", **options: object) -> tuple[list[Turn], Counter[str], Counter[str]]:
    """(turns, reject reasons, notes) of a file with these bytes."""
    raw = data.encode() if isinstance(data, str) else data
    source = Source(name, PurePosixPath("/archive") / name, lambda: io.BytesIO(raw), ReadOptions(**options))  # type: ignore[arg-type]
    notes: Counter[str] = Counter()
    rows = list(read_file(source, "acme", notes))
    reasons = Counter(row.reason for row in rows if isinstance(row, Reject))
    return [row for row in rows if isinstance(row, Turn)], reasons, notes


def talk(*turns: dict[str, object], name: str = "c-1", **more: object) -> str:
    return json.dumps({"conversation_id": name, **more, "turns": list(turns)}, ensure_ascii=False) + "\n"


HELLO: dict[str, object] = {
    "turn_id": "t1",
    "speaker": "Ada",
    "said_at": "2024-02-29T09:00+09:00",
    "text": "The gate opens at six.",
}


def test_native_keeps_everything_that_a_turn_says() -> None:
    (turn,), reasons, _ = read(talk({**HELLO, "role": "agent", "reply_to": "t0"}, session_id="s-9"))
    assert (turn.conversation, turn.session, turn.turn_id, turn.speaker, turn.role) == (
        "c-1",
        "s-9",
        "t1",
        "Ada",
        "agent",
    )
    assert turn.said_at == "2024-02-29T09:00+09:00" and turn.said_ts == datetime(2024, 2, 29, tzinfo=UTC)
    assert turn.said_precision == "minute" and turn.reply_to == "t0" and turn.language == "en" and not reasons


def test_a_speaker_may_carry_a_role() -> None:
    (turn,), _, _ = read(talk({**HELLO, "speaker": "customer:Ada"}))
    assert (turn.speaker, turn.role) == ("Ada", "customer")


@pytest.mark.parametrize(
    ("encoding", "text"),
    [("utf-8", "창고 문이 닫혔어요"), ("utf-8-sig", "창고 문이 닫혔어요"), ("utf-16", "창고 문이 닫혔어요"), ("cp949", "창고 문이 닫혔어요"),
     ("utf-16-le", "plain words"), ("cp1252", "déjà vu à Zürich")],
)  # fmt: skip
def test_encodings(encoding: str, text: str) -> None:
    (turn,), reasons, _ = read(talk({**HELLO, "text": text}).encode(encoding))
    assert turn.text == text and not reasons


def test_a_latin_1_line_in_a_utf_8_log() -> None:
    log = "[2024-03-05 02:14:09] <ada> naïve\n".encode("latin-1") + "[2024-03-05 02:15:00] <bo> ß und 가\n".encode() * 9
    turns, reasons, _ = read(log, "x.log")
    assert [turn.text for turn in turns[:2]] == ["naïve", "ß und 가"] and not reasons


@pytest.mark.parametrize(
    ("data", "name", "reasons"),
    [
        (b"", "empty.jsonl", {"empty_file": 1}),
        (b"\x00\x01\x02\x03" * 50, "blob.bin", {"unknown_format": 1}),
        ("{}", "letter.jsonl", {"unknown_format": 1}),
        (talk(HELLO) + '{"conversation_id": "c-2", "turns": [{"te', "half.jsonl", {"broken_json": 1}),
        (talk(HELLO) + "[1, 2]\n", "list.jsonl", {"no_turns": 1}),
        (talk(HELLO, {"turn_id": "t2", "speaker": "Bo"}), "notext.jsonl", {"broken_turn": 1}),
        (talk(HELLO, {**HELLO, "turn_id": "t2", "text": "  "}), "blank.jsonl", {"empty_text": 1}),
        (talk(HELLO, HELLO), "again.jsonl", {"duplicate_turn": 1}),
        (talk(HELLO, {**HELLO, "text": "Other words."}), "twice.jsonl", {"duplicate_turn_id": 1}),
        (talk(HELLO, name=""), "noname.jsonl", {"no_conversation": 1}),
        ("a" * 100, "a.csv", {"unknown_format": 1}),
        (b"PAR1 and then nothing", "cut.parquet", {"broken_parquet": 1}),
    ],
)
def test_bad_input_is_refused_with_its_reason(data: bytes | str, name: str, reasons: dict[str, int]) -> None:
    turns, found, _ = read(data, name)
    assert found == reasons
    assert len(turns) <= 1


@pytest.mark.parametrize(
    ("raw", "note", "known"),
    [
        (None, "no_time", False),
        ("", "no_time", False),
        ("a while ago", "unreadable_time", False),
        ("2024-13-45T99:99", "unreadable_time", False),
        ("2999-01-01T00:00Z", "future_time", False),
        ("2024-06-01T10:00", "", True),
        (1709629331, "", True),
        (1709629331000, "", True),
        ("2024/03/05 (Tue) 21:03", "", True),
        ("9:02 am on 5 March, 2024", "", True),
    ],
)
def test_times_are_the_documents_or_unknown(raw: object, note: str, known: bool) -> None:
    latest = datetime(2026, 1, 1, tzinfo=UTC)
    (turn,), reasons, notes = read(talk({**HELLO, "said_at": raw}), latest=latest)
    assert (turn.said_ts is not None) == known and (turn.said_precision != "unknown") == known
    assert not reasons and (notes[note] == 1 if note else not any(notes[n] for n in ("no_time", "unreadable_time")))


def test_a_zone_orders_but_does_not_rewrite() -> None:
    found = said("2024-06-01T10:00", zone_name="Asia/Seoul")
    assert found.at == "2024-06-01T10:00" and found.ts == datetime(2024, 6, 1, 1, 0, tzinfo=UTC)


def test_no_speaker_is_kept_and_counted() -> None:
    (turn,), _, notes = read(talk({**HELLO, "speaker": ""}))
    assert turn.speaker == "unknown" and notes["no_speaker"] == 1


def test_a_ten_megabyte_message_is_kept_whole() -> None:
    (turn,), reasons, _ = read(talk({**HELLO, "text": "word " * 2_000_000}))
    assert len(turn.text) == 10_000_000 and not reasons


def test_a_hundred_thousand_turns_in_one_conversation() -> None:
    many = [
        {"turn_id": f"t{i}", "speaker": "Ada", "said_at": "2024-01-01", "text": f"line {i}"} for i in range(100_000)
    ]
    turns, reasons, _ = read(talk(*many))
    assert len(turns) == 100_000 and turns[-1].position == 99_999 and not reasons


def test_out_of_order_times_keep_their_place() -> None:
    turns, _, _ = read(talk(HELLO, {**HELLO, "turn_id": "t2", "said_at": "2020-01-01"}))
    assert [turn.position for turn in turns] == [0, 1] and turns[1].said_at == "2020-01-01"


def test_csv_with_the_users_names() -> None:
    data = '\ufeff번호;누가;언제;내용\nK-1;보미;2024/03/05 10:05;"첫 줄\n둘째 줄; 끝"\nK-1;보미\n'
    turns, reasons, _ = read(
        data, "상담.csv", columns={"conversation": "번호", "speaker": "누가", "time": "언제", "text": "내용"},
        time_format="%Y/%m/%d %H:%M", zone="Asia/Seoul",
    )  # fmt: skip
    assert [turn.text for turn in turns] == ["첫 줄\n둘째 줄; 끝"] and reasons == {"broken_row": 1}
    assert turns[0].said_at == "2024-03-05T10:05" and turns[0].said_ts == datetime(2024, 3, 5, 1, 5, tzinfo=UTC)


def test_csv_without_a_text_column_says_what_to_do() -> None:
    _, reasons, _ = read("who,when\nAda,2024-01-01\n", "x.csv")
    assert reasons == {"unreadable_file": 1}
    with pytest.raises(InputError, match="--column text=BODY"):
        read("who,when\nAda,2024-01-01\n", "x.csv", format="csv")


def test_parquet_by_common_names() -> None:
    out = io.BytesIO()
    when = [datetime(2024, 3, 5, 10, tzinfo=UTC), None]
    pq.write_table(
        pa.table({"dialog_id": ["d", "d"], "sender": ["Ada", "Bo"], "date": when, "message": ["hi there", None]}), out
    )
    turns, reasons, notes = read(out.getvalue(), "chat.parquet")
    assert [(turn.conversation, turn.speaker, turn.text) for turn in turns] == [("d", "Ada", "hi there")]
    assert reasons == {"no_text": 1} and turns[0].said_at == "2024-03-05T10:00:00+00:00" and not notes["no_time"]


def test_flat_json_lines_with_nested_names() -> None:
    line = json.dumps({"room": {"id": "r"}, "msg": {"who": "Ada", "body": "hello all", "at": 1709629331000}})
    columns = {"conversation": "room.id", "speaker": "msg.who", "text": "msg.body", "time": "msg.at"}
    (turn,), reasons, _ = read(line + "\n", columns=columns)
    assert (turn.conversation, turn.speaker, turn.said_precision) == ("r", "Ada", "millisecond") and not reasons


def test_captions_and_chat_of_one_meeting_are_one_document() -> None:
    vtt = "WEBVTT\n\nNOTE made by hand\n\n1\n00:00:05.790 --> 00:00:09.290\nAda Vale: Good morning.\n\n2\n00:01:00.000 --> 00:01:02.000\n<v Bo>Tom &amp; I agree</v>\n\nbroken\n"
    chat = "00:00:30\tAda Vale:\tthe link\nand a second line\n"
    spoken, reasons, _ = read(vtt, "calls/2026-04-09_12/transcript.vtt")
    written, _, _ = read(chat, "calls/2026-04-09_12/chat.txt")
    assert [(turn.speaker, turn.text) for turn in spoken] == [("Ada Vale", "Good morning."), ("Bo", "Tom & I agree")]
    assert reasons == {"broken_cue": 1} and written[0].text == "the link\nand a second line"
    assert {turn.document for turn in spoken} == {turn.document for turn in written}
    assert spoken[0].said_at == "2026-04-09T00:00:05" and spoken[0].said_precision == "day"


def test_captions_without_a_day_are_undated_until_one_is_given() -> None:
    srt = "1\n00:00:01,000 --> 00:00:02,800\nAda: six gates\n\n2\n00:00:03,000 --> 00:00:04,000\nand one more\n"
    turns, _, _ = read(srt, "standup.srt")
    assert [turn.speaker for turn in turns] == ["Ada", "Ada"] and turns[0].said_at is None
    dated, _, _ = read(srt, "standup.srt", day=datetime(2024, 5, 6).date())
    assert dated[0].said_at == "2024-05-06T00:00:01"


@pytest.mark.parametrize(
    ("name", "line", "at"),
    [
        ("room_2011-05-29_19.raw.txt", "[23:58] <ada> late\n[00:03] <bo> later", "2011-05-30T00:03"),
        ("x.log", "room 2019-09-04 [22:44:46] <ada> hi\nroom 2019-09-05 [00:01:00] <bo> hey", "2019-09-05T00:01:00"),
        ("irssi_#room.log", "--- Log opened Tue Mar 05 08:58:01 2024\n09:02 <@ada> hi\n--- Day changed Wed Mar 06 2024\n00:10 < bo> hey", "2024-03-06T00:10"),
        ("irc.net.#room.weechatlog", "2024-03-05 08:00:00\t-->\tada joined\n2024-03-05 09:00:00\t@ada\thi\n2024-03-05 09:01:00\tbo\they", "2024-03-05T09:01:00"),
    ],
)  # fmt: skip
def test_irc_shapes(name: str, line: str, at: str) -> None:
    turns, _, _ = read(line + "\n", name)
    assert [turn.speaker for turn in turns] == ["ada", "bo"] and turns[1].said_at == at


def test_irc_system_lines_are_counted_as_such() -> None:
    turns, reasons, _ = read("[09:00] <ada> hi\n[09:01] === bo joined #room\n[09:02] * ada waves\n", "r_2020-01-02.log")
    assert [turn.text for turn in turns] == ["hi", "waves"] and reasons == {"system_line": 1}


def test_locomo_sessions_in_order_of_their_number() -> None:
    sessions = {f"session_{n}": [{"speaker": "Ada", "dia_id": f"D{n}:1", "text": f"n{n}"}] for n in (2, 10, 1)}
    dates = {f"session_{n}_date_time": f"{n}:56 pm on 8 May, 2023" for n in (1, 2, 10)}
    turns, _, _ = read(
        json.dumps([{"sample_id": "x", "conversation": {"speaker_a": "Ada", **dates, **sessions}}]), "l.json"
    )
    assert [turn.text for turn in turns] == ["n1", "n2", "n10"] and turns[0].said_at == "2023-05-08T13:56"
    assert turns[0].said_precision == "session"


def test_longmemeval_same_session_id_twice() -> None:
    item = {
        "question_id": "q", "haystack_dates": ["2023/04/10 (Mon) 14:47"] * 2, "haystack_session_ids": ["s", "s"],
        "haystack_sessions": [[{"role": "user", "content": "one"}], [{"role": "assistant", "content": "two"}]],
    }  # fmt: skip
    turns, _, _ = read(json.dumps([item]), "lme.json")
    assert len({turn.document for turn in turns}) == 2 and turns[0].role == "user"


def test_an_array_that_breaks_off_keeps_what_came_before() -> None:
    whole = {"sample_id": "x", "conversation": {"session_1": [{"speaker": "A", "dia_id": "D1:1", "text": "hi all"}]}}
    turns, reasons, _ = read(f'[{json.dumps(whole)}, {{"sample_id": "y', "l.json")
    assert [turn.text for turn in turns] == ["hi all"] and reasons == {"broken_json": 1}


def test_files_are_named_from_the_given_path(tmp_path: Path) -> None:
    (tmp_path / "in" / "deep").mkdir(parents=True)
    (tmp_path / "in" / "deep" / "a.jsonl").write_text(talk(HELLO))
    (tmp_path / "in" / ".hidden").write_text("x")
    assert [source.uri for source in files_of([tmp_path / "in"], ReadOptions())] == ["in/deep/a.jsonl"]
    with pytest.raises(InputError, match="no such file"):
        files_of([tmp_path / "gone"], ReadOptions())


def test_formats_are_named() -> None:
    assert len(set(FORMATS)) == len(FORMATS) >= 9


@settings(max_examples=200, deadline=timedelta(seconds=2))
@given(
    st.binary(max_size=400), st.sampled_from(["a.jsonl", "a.csv", "a.vtt", "a_2020-01-01.log", "a.json", "a.parquet"])
)
def test_no_bytes_break_a_reader(data: bytes, name: str) -> None:
    turns, reasons, _ = read(data, name)
    assert turns or reasons


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=30), max_size=6))
def test_reading_again_gives_the_same_turns(texts: list[str]) -> None:
    archive = talk(*({"speaker": "Ada", "said_at": "2024-01-01", "text": text} for text in texts))
    assert read(archive) == read(archive)
