"""Pages that need no server: the Lab, and the look that all pages share.

`lab.lab_page` puts the Lab together as one text: ``lab.html`` with its styles, the scripts beside
it, and the kernels as WebAssembly, which compute slams in workers of the page. ``look.css`` is the
style sheet of all pages, static and served.
"""
