"""Archives in, turns and rejects out: one reader a format, behind one protocol (`read.py`)."""
