"""Battles as they are drawn: the story in entries, the Arena in space, and the page of a battle.

In come a match that was played and the source of its throws; out comes a web page that needs no
server. Begin at `page.battle_page`; `timeline` tells the story, `scenes` has the Arena.
"""
