"""Pure steps, records in and records out: no clock, no network, no engine."""
