"""From the SDK's tools and results to the neutral ones."""
