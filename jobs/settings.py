"""Settings: one place, read from the environment (`MEMLAKE_*`) and overridden by the command line."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Literal

from pydantic import Field, ValidationError
from pydantic_settings import BaseSettings, SettingsConfigDict

from lakehouse.errors import SettingsError

Extractors = Literal["rules", "hybrid", "llm", "llm-batch"]


def _cache() -> Path:
    return Path(os.environ.get("XDG_CACHE_HOME", "~/.cache")).expanduser() / "memlake"


class Settings(BaseSettings):
    """Every setting with its default; `MEMLAKE_LAKE=/data/lake` sets `lake`."""

    model_config = SettingsConfigDict(env_prefix="MEMLAKE_", extra="ignore")

    lake: str = Field("lake", description="The lake: a folder, or an address such as s3://bucket/lake.")
    tenant: str = Field("default", description="Whose archive it is; part of every key and filter.")
    zone: str = Field("UTC", description="The tenant's time zone, for times that are written without an offset.")
    cache: Path = Field(default_factory=_cache, description="Models and jars that were made or fetched once.")

    spark_master: str = Field("local[*]", description="A Spark master: local[*], spark://host:7077, yarn, k8s://...")
    spark_remote: str = Field("", description="A Spark Connect address (sc://host:15002); wins over the master.")
    spark_jars: str = Field("", description="Comma-separated Delta jars on this machine, instead of Maven's.")
    maven_mirror: str = Field("", description="A Maven repository to ask instead of Maven Central.")
    spark_from: int = Field(
        50_000,
        ge=0,
        description="Touched atoms above which Spark folds; fewer are folded in this process.",
    )
    spark_memory: str = Field("1g", description="Heap of the local driver.")
    spark_conf: dict[str, str] = Field(default_factory=dict, description="More Spark settings, as a JSON object.")

    ray_address: str = Field("", description="A Ray cluster (ray://host:10001 or host:6379); empty starts a local one.")
    ray_memory_mb: int = Field(512, ge=80, description="Object store of a local Ray, in MB.")
    workers: int = Field(0, ge=0, description="Extraction workers; 0: one for each two cores, at least one.")
    partition_turns: int = Field(1000, ge=1, description="Turns of a partition: the unit of resumption.")

    extractor: Extractors = Field("rules", description="Who extracts: rules, hybrid, llm or llm-batch.")
    llm_url: str = Field("", description="An OpenAI-compatible address (http://host/v1); empty: OpenAI's own.")
    llm_model: str = Field("", description="The model's name there.")
    llm_key: str = Field("", description="Its key; empty: OPENAI_API_KEY, which goes to OpenAI alone.", repr=False)
    llm_concurrency: int = Field(8, ge=1, description="Requests under way at once in a worker.")
    llm_timeout_s: float = Field(120, gt=0, description="How long one request may take.")
    llm_attempts: int = Field(5, ge=1, description="Attempts at a request that fails for a passing reason.")
    llm_backoff_s: float = Field(
        1, ge=0, description="The first wait between attempts; it doubles, to a minute at most."
    )
    llm_max_output: int = Field(4096, ge=16, description="Tokens of one reply at most.")
    llm_budget_tokens: int = Field(0, ge=0, description="Tokens that one command may spend; 0: no limit.")
    llm_budget_cost: float = Field(0, ge=0, description="Money that one command may spend; 0: no limit.")
    llm_price_input: float = Field(0, ge=0, description="Price of a million prompt tokens.")
    llm_price_cached: float | None = Field(None, ge=0, description="The same, where the provider had them cached.")
    llm_price_output: float = Field(0, ge=0, description="Price of a million reply tokens.")

    milvus_uri: str = Field("", description="http://host:19530 of a Milvus; empty: a Milvus Lite file in the lake.")
    milvus_token: str = Field("", description="Token of the Milvus server.", repr=False)
    embedder: str = Field("packaged", description="packaged, a model folder or hub id, or http://host/v1#model.")

    host: str = Field("127.0.0.1", description="Where `memlake serve` listens.")
    port: int = Field(8787, ge=1, le=65535, description="Port of `memlake serve`.")
    api_keys: str = Field("", description="tenant:sha256 pairs, comma-separated; needed beyond loopback.", repr=False)

    @property
    def one_machine(self) -> bool:
        """Whether Spark's work is done on this machine, so that there is no other to leave work to."""
        return self.spark_master.startswith("local") and not self.spark_remote


def load(**overrides: object) -> Settings:
    """Settings from the environment; overrides that are None are left out. Raises SettingsError."""
    try:
        return Settings(**{k: v for k, v in overrides.items() if v is not None})  # type: ignore[arg-type]
    except ValidationError as error:
        first = error.errors()[0]
        name = "_".join(str(part) for part in first["loc"])
        raise SettingsError(str(first["msg"]), place=f"MEMLAKE_{name.upper()}", hint="correct the setting") from None
