"""The values that travel: JSON, results, messages, deliveries, and their form on the wire.

Contracts know nothing of registries, workers or plugins. They are frozen attrs classes; those that are made in
every call write their own ``__init__`` into the instance's dict, because the one that attrs writes for a frozen
class, and the checks behind it, would be a third of what a call costs.
"""
