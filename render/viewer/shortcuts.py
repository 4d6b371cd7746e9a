"""Keys, what they do, and how they are called: one table for the keys and for their help."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pygame
from pygame.event import Event

_COMMAND = pygame.KMOD_CTRL | pygame.KMOD_META


@dataclass(frozen=True, slots=True, kw_only=True)
class Shortcut:
    """Keys that do one thing.

    Attributes:
        keys: Names as `key_name` gives them, any of which does it: ``("space",)``, ``("+", "=")``,
            ``("shift+left",)``, ``("ctrl+c",)``.
        does: What it does, as the help says it: ``play or pause``.
        action: Does it.
    """

    keys: tuple[str, ...]
    does: str
    action: Callable[[], object]

    @property
    def shown(self) -> str:
        """How the help writes the keys.

        Example:
            >>> Shortcut(keys=("shift+left", "a"), does="", action=lambda: None).shown
            'Shift+Left, A'
        """
        return ", ".join("+".join(part.capitalize() for part in _parts(key)) for key in self.keys)


def run_shortcut(event: Event, shortcuts: Iterable[Shortcut]) -> bool:
    """Run the first shortcut that a pressed key stands for, and return whether there is one."""
    if event.type != pygame.KEYDOWN:
        return False
    name = key_name(event)
    for shortcut in shortcuts:
        if name in shortcut.keys:
            shortcut.action()
            return True
    return False


def key_name(event: Event) -> str:
    """Return what a pressed key is called: the sign it types, in lower case, or its name.

    Ctrl and the command key of a Mac come first as ``ctrl+``, and shift as ``shift+`` where no
    sign is typed. So a key is found by what is printed on it, on any keyboard.

    Example:
        >>> key_name(Event(pygame.KEYDOWN, key=pygame.K_a, unicode="A", mod=pygame.KMOD_SHIFT))
        'a'
        >>> key_name(Event(pygame.KEYDOWN, key=pygame.K_LEFT, unicode="", mod=pygame.KMOD_SHIFT))
        'shift+left'
    """
    typed = getattr(event, "unicode", "")
    mod = getattr(event, "mod", 0)
    if mod & _COMMAND:
        return "ctrl+" + pygame.key.name(event.key)
    if typed.strip() and typed.isprintable():
        return str(typed.lower())
    return ("shift+" if mod & pygame.KMOD_SHIFT else "") + pygame.key.name(event.key)


def _parts(key: str) -> list[str]:
    return key.split("+") if len(key) > 1 else [key]
