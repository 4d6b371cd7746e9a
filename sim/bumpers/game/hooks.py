"""The behaviours of cards, by the names that decks call them by.

Quick plays: ``double-actions``, ``extra-actions`` (numbers: actions), ``reverse``, ``stop``,
``draw-cards`` (cards), ``shuffle-discards``, ``take-top-discard``. Draw cards: ``draw-rule``
(cards). Action cards: ``action-rule`` (actions). Game changers: ``shift-mats``, ``swap-mats``,
``turn-mats``, ``mix-mats`` (moves), ``borrow-pieces``, ``return-puck``, ``take-any-discard``,
``nudge``, and the ongoing ``slippery-ice`` and ``frozen-mats``.
"""

from collections.abc import Mapping
from types import MappingProxyType

from sim.bumpers.game.changerhooks import CHANGER_HOOKS
from sim.bumpers.game.hook import Hook
from sim.bumpers.game.mathooks import MAT_HOOKS
from sim.bumpers.game.quickhooks import QUICK_HOOKS
from sim.bumpers.game.rulehooks import RULE_HOOKS

HOOKS: Mapping[str, Hook] = MappingProxyType(QUICK_HOOKS | RULE_HOOKS | MAT_HOOKS | CHANGER_HOOKS)
