"""The values that travel: JSON, results, messages, deliveries, and their form on the wire.

Contracts know nothing of registries, workers or plugins.
"""
