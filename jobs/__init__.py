"""The composition root: command line, settings, run ledger, Ray and Spark shells."""
