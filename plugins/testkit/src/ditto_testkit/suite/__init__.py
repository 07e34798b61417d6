"""From contracts that authors write to tests that pytest collects."""
