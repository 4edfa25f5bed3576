"""`memlake serve`: the retrieval service on loopback, or elsewhere with API keys."""

from __future__ import annotations

import ipaddress
import json
import socket
from datetime import UTC, datetime

from rich.console import Console

from jobs.ask import moment, open_memory
from jobs.settings import Settings
from lakehouse.errors import EngineError, SettingsError
from retrieval.lake_memory import LakeMemory
from retrieval.service import create_app


def api_keys(settings: Settings) -> dict[str, str]:
    """Key hash to tenant, of `tenant:sha256,…`. Raises SettingsError for another form."""
    out = {}
    for pair in filter(None, (part.strip() for part in settings.api_keys.split(","))):
        tenant, _, digest = pair.rpartition(":")
        if not tenant or len(digest) != 64:
            raise SettingsError(
                "an API key is written tenant:SHA256", place="MEMLAKE_API_KEYS", hint="hash it: printf KEY | sha256sum"
            )
        out[digest.lower()] = tenant
    return out


def on_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def run_server(settings: Settings, as_json: bool) -> None:
    """Serve until interrupted. Raises SettingsError for an open address without keys, EngineError for a taken port."""
    import uvicorn

    keys = api_keys(settings)
    if not keys and not on_loopback(settings.host):
        raise SettingsError(
            "beyond loopback the service needs API keys", place=settings.host, hint="set MEMLAKE_API_KEYS=tenant:SHA256"
        )
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((settings.host, settings.port))
        except OSError as error:
            raise EngineError(
                f"the port is taken ({error.strerror})",
                place=f"{settings.host}:{settings.port}",
                hint="give another --port",
            ) from error
        with open_memory(settings) as first:
            memories = {settings.tenant: first}

            def memory_of(tenant: str) -> LakeMemory:
                return memories.setdefault(tenant, LakeMemory(first.lake, first.index, first.embedder, tenant))

            app = create_app(
                memory_of,
                tenant=settings.tenant,
                keys=keys,
                moment=lambda text: moment(text, settings.zone, "as_of"),
                clock=lambda: datetime.now(UTC),
            )
            address = f"http://{settings.host}:{listening.getsockname()[1]}"
            if as_json:
                print(json.dumps({"listening": address}), flush=True)
            else:
                Console(stderr=True, highlight=False).print(
                    f"memlake serves {first.lake.root} on {address} (docs at {address}/docs)"
                )
            config = uvicorn.Config(app, log_level="warning", access_log=False)
            uvicorn.Server(config).run(sockets=[listening])
