"""Pictures and films of recordings, and plots of odds. Never steps physics, never decides rules."""
