"""What `@tool` makes of types: one shape per type form, which knows its JSON Schema and reads and writes values.

Schema and check of a form stand side by side and are made at once, when a function is decorated, so they cannot
disagree, and a call inspects nothing.
"""
