"""The clipboard, as far as the window system has one."""

import pygame


def copy_text(text: str) -> bool:
    """Put text on the clipboard, and return whether there is one; a window must be open."""
    try:
        pygame.scrap.put_text(text)
    except pygame.error:
        return False
    return True


def pasted_text() -> str:
    """Return the text on the clipboard, empty if there is none; a window must be open."""
    try:
        return pygame.scrap.get_text()
    except pygame.error:
        return ""
