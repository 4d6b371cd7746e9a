"""Commands of a window: the key, the line in the help and the button of one action.

A view lists its `Command`s. The window runs them by their keys (`run_command`) and lists them in
its help; a `Button` of a command has its name and key as the tooltip.
"""

from collections.abc import Callable, Iterable
from dataclasses import KW_ONLY, dataclass

import pygame
from pygame import Event

_CTRL_OR_COMMAND = pygame.KMOD_CTRL | pygame.KMOD_META


@dataclass(frozen=True, slots=True)
class Command:
    """An action with its keys and its button.

    A command without keys is only a button; one without icon and label is only a key.
    Keys are named as `key_name` does: ``("space",)``, ``("+", "=")``, ``("shift+left",)``.
    """

    keys: tuple[str, ...]
    name: str  # line in the help and text of the tooltip: `play or pause`
    action: Callable[[], object]
    _: KW_ONLY
    icon: str = ""  # name of the drawing on its button, see `icons.ICONS`
    label: str = ""  # text on its button, if it has no icon
    enabled: bool = True  # if not: its keys are ignored, its button is faint
    on: bool = False  # its button is selected

    @property
    def keys_text(self) -> str:
        """The keys as the help writes them.

        Example:
            >>> Command(("shift+left", "a"), "", print).keys_text
            'Shift+Left, A'
        """
        return ", ".join(_key_text(key) for key in self.keys)

    @property
    def hint(self) -> str:
        """The tooltip of its button: the name and the first key.

        Example:
            >>> Command(("n", "page down"), "next throw", print).hint
            'next throw (N)'
        """
        return f"{self.name} ({_key_text(self.keys[0])})" if self.keys else self.name


def run_command(event: Event, commands: Iterable[Command]) -> bool:
    """Run the first command that a pressed key stands for, unless it is disabled.

    Returns:
        True if one of the commands has this key.
    """
    if event.type != pygame.KEYDOWN:
        return False
    name = key_name(event)
    for command in commands:
        if name in command.keys:
            if command.enabled:
                command.action()
            return True
    return False


def key_name(event: Event) -> str:
    """Return the name of a pressed key: the sign it types, in lower case, or pygame's name.

    Ctrl and the Command key of a Mac come first as ``ctrl+``, and Shift as ``shift+`` if no sign
    is typed. So a key is found by the sign printed on it, on any keyboard.

    Example:
        >>> key_name(Event(pygame.KEYDOWN, key=pygame.K_a, unicode="A", mod=pygame.KMOD_SHIFT))
        'a'
        >>> key_name(Event(pygame.KEYDOWN, key=pygame.K_LEFT, unicode="", mod=pygame.KMOD_SHIFT))
        'shift+left'
    """
    typed = getattr(event, "unicode", "")
    mod = getattr(event, "mod", 0)
    if mod & _CTRL_OR_COMMAND:
        return "ctrl+" + pygame.key.name(event.key)
    if typed.strip() and typed.isprintable():
        return str(typed.lower())
    return ("shift+" if mod & pygame.KMOD_SHIFT else "") + pygame.key.name(event.key)


def _key_text(key: str) -> str:
    parts = key.split("+") if len(key) > 1 else [key]
    return "+".join(part.capitalize() for part in parts)
