"""Files, records, JSON and ordered work: the parts that all of `sim` shares."""
