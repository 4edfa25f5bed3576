# The two front doors: `make demo` and `make test`. Everything that they need is set up on the way.

SHELL := /bin/bash
UV := $(shell command -v uv 2>/dev/null || echo .uv/bin/uv)
RUN := $(UV) run --frozen --no-sync
PYTEST_ARGS ?=
AIRFLOW_VERSION := 3.3.2

.PHONY: demo test score lint types contracts check java setup airflow-test infra-check docs clean

demo: setup ## The whole flow on the packaged archive, ending with ten questions answered
	$(RUN) memlake demo

test: setup ## The whole test suite
	$(RUN) pytest $(PYTEST_ARGS)

score: setup ## Predict the four gold suites (GOLD=folder) and print one table
	$(RUN) python -m quality.score $(GOLD)

check: lint types contracts ## Linters, types and import contracts

lint: setup
	$(RUN) ruff check .
	$(RUN) ruff format --check .

types: setup
	$(RUN) mypy

contracts: setup
	$(RUN) lint-imports

setup: .venv/.ready java

.venv/.ready: uv.lock pyproject.toml
	@command -v $(UV) >/dev/null || (echo "fetching uv by pip" && python3 -m pip install --quiet --target .uv uv)
	@echo "installing the locked environment (the first time downloads about 4 GB)"
	@$(UV) sync --frozen --quiet --python 3.11
	@touch $@

java:
	@command -v java >/dev/null || [ -x "$$JAVA_HOME/bin/java" ] || bash infra/install_java.sh

airflow-test: setup ## Build Airflow's own environment and run the DAG tests in it
	[ -x .venv-airflow/bin/airflow ] || ($(UV) venv --python 3.11 .venv-airflow && \
	  $(UV) pip install --python .venv-airflow/bin/python "apache-airflow==$(AIRFLOW_VERSION)")
	$(RUN) pytest tests/airflow -m "slow or not slow" $(PYTEST_ARGS)

infra-check: setup ## Does the compose file say what it should
	$(RUN) pytest tests/infra $(PYTEST_ARGS)

docs: setup ## Write the data dictionary again from the schema
	$(RUN) python -m quality.dictionary docs/data-dictionary.md

clean:
	rm -rf .venv .uv .venv-airflow demo-lake .pytest_cache .mypy_cache .ruff_cache
