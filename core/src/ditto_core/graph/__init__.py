"""Graphs and loops: what an application composes calls with. Both are only declared here; the runtime runs them."""
