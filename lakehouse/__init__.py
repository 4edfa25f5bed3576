"""What is stored: records, the schema, ids, intervals, errors and the Delta tables."""
