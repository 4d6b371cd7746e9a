"""The ground floor: errors, facts, files and what strangers wrote, checked at one door.

Knows no body, no game and no picture, and imports nothing else of pucklab. Begin with `errors` (how
a value is refused), `decoding` (typed classes out of JSON and TOML) and `files`.
"""
