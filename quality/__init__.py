"""Expectation suites, metrics, evaluation and benchmarks."""
