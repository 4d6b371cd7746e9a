"""Pages of the server in the process of the tests: visitors behind the guard, by NiceGUI's user."""

import os
from contextlib import asynccontextmanager

import httpx
from nicegui import Client, core, ui
from nicegui.testing import User
from nicegui.testing.general import nicegui_reset_globals, prepare_simulation

from pucklab.render.browser.guard import Guard, Keys
from pucklab.render.browser.pages import register_pages

HOST = "127.0.0.1:8123"
KEYS = Keys(host="h" * 32, guest="g" * 32, session="s" * 32)


@asynccontextmanager
async def visitors(monkeypatch, *, host=1, guests=0):
    """Give visitors who have opened their links: hosts first, then guests."""
    monkeypatch.setenv("NICEGUI_USER_SIMULATION", "true")
    with nicegui_reset_globals():
        try:
            prepare_simulation()
            register_pages()
            ui.run(None)
            guard = Guard(core.app, KEYS, 8123)
            async with core.app.router.lifespan_context(core.app):
                users = []
                for key in [KEYS.host] * host + [KEYS.guest] * guests:
                    transport = httpx.ASGITransport(guard)
                    client = httpx.AsyncClient(transport=transport, base_url=f"http://{HOST}")
                    answer = await client.get(f"/battles?key={key}")
                    assert answer.status_code == 303
                    users.append(User(client))
                yield users
                for user in users:
                    await user.http_client.aclose()
        finally:
            Client.page_routes.clear()  # else their modules would be forgotten
    os.environ.pop("NICEGUI_USER_SIMULATION", None)
