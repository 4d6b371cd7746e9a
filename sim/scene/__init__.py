"""A scene as a person asks for it: one table of its numbers, from options, keywords or a file.

A `fields.SceneField` declares each number once; `scenes` makes a scene of them, `hand_throw` a
throw by hand, `replay` keeps a slam in a file, and `slam_text` describes it.
"""
