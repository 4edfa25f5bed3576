# What Spark's and Ray's workers run: memlake with its locked environment, and a Java for Spark.
FROM python:3.11-slim-bookworm
RUN apt-get update && apt-get install -y --no-install-recommends openjdk-17-jre-headless procps \
    && rm -rf /var/lib/apt/lists/* && pip install --no-cache-dir uv
WORKDIR /opt/memlake
COPY pyproject.toml uv.lock README.md LICENSE ./
COPY lakehouse lakehouse
COPY pipelines pipelines
COPY retrieval retrieval
COPY quality quality
COPY jobs jobs
RUN uv sync --frozen --no-dev
ENV PATH=/opt/memlake/.venv/bin:$PATH PYSPARK_PYTHON=/opt/memlake/.venv/bin/python
RUN useradd --create-home memlake
USER memlake
