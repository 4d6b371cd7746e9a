"use strict";
// What all pages share: the data, the colours, commands as keys, buttons and lines of the help, and
// steps to go through.

const ICONS = {
  restart: "M6 5h2v14H6zM20 5v14L9 12z",
  play: "M6 4l14 8-14 8z",
  pause: "M6 4h4v16H6zM14 4h4v16h-4z",
  back: "M16 5v14L6 12z",
  on: "M8 5v14l10-7z",
  previous: "M5 5h3v14H5zM20 5v14L9 12z",
  next: "M16 5h3v14h-3zM4 5v14l11-7z",
  sound: "M3 9v6h4l5 5V4L7 9zM15 8.5q4 3.500 0 7zM17 5q7 7 0 14l1 1q9-8 0-16z",
  mute: "M3 9v6h4l5 5V4L7 9zM15 9l1-1 6 6-1 1zM21 8l1 1-6 6-1-1z",
  theme: "M12 3a9 9 0 1 0 0 18zM12 5a7 7 0 0 1 0 14z",
  full: "M4 4h6v2H6v4H4zM14 4h6v6h-2V6h-4zM4 14h2v4h4v2H4zM18 14h2v6h-6v-2h4z",
  hand: "M4 12l7-8 7 8h-4v8h-6v-8z",
  again: "M12 5V2L6 7l6 5V8a5 5 0 1 1-5 6H4a8 8 0 1 0 8-9z",
  help: "M8 9a4 4 0 1 1 5 4v2h-2v-4a2 2 0 1 0-1-2zM11 17h2v2h-2z",
};
const KEY_NAMES = {
  " ": "Space", arrowleft: "Left", arrowright: "Right", arrowup: "Up", arrowdown: "Down",
  home: "Home", end: "End", pageup: "Page Up", pagedown: "Page Down",
};

const $ = (id) => document.getElementById(id);
const facts = JSON.parse($("data").textContent);
const state = { theme: "" };
const reduced = matchMedia("(prefers-reduced-motion: reduce)");
const darkness = matchMedia("(prefers-color-scheme: dark)");

const isDark = () => state.theme ? state.theme === "dark" : darkness.matches;
const colours = () => facts.themes[isDark() ? "dark" : "light"];
function showTheme() {
  for (const [name, value] of Object.entries(colours())) {
    document.documentElement.style.setProperty(`--${name.replace("_", "-")}`, value);
  }
  document.documentElement.style.colorScheme = isDark() ? "dark" : "light";
}
darkness.addEventListener("change", showTheme);

function fullScreen() {
  if (document.fullscreenElement) document.exitFullscreen();
  else if ($("player").requestFullscreen) $("player").requestFullscreen().catch(() => {});
}

function say(text, kind = "") {
  $("said").textContent = text;
  $("said").className = kind;
}

// A command has keys and a name; one with an icon or a label has a button. These may be functions.
// It counts `when` it says so. An `element` stands among the buttons as it is.
let commands = [];
const FRAME_COMMANDS = [
  { keys: ["l"], name: "Light or dark", icon: "theme",
    run: () => { state.theme = isDark() ? "light" : "dark"; showTheme(); } },
  { keys: ["f"], name: "Full screen", icon: "full", wide: true, run: fullScreen },
  { keys: ["?", "h"], name: "Help", icon: "help", run: showHelp },
];
const now = (part) => typeof part === "function" ? part() : part;
const counts = ({ when }) => !when || when();
const keyNames = ({ keys }) => keys.filter((key) => key !== "=").map(
  (key) => KEY_NAMES[key] || key.toUpperCase());

function makeControls(own) {
  commands = [...own, ...FRAME_COMMANDS];
  for (const command of commands) {
    if (command.element) $("buttons").append(command.element);
    if (!command.icon && !command.label) continue;
    command.button = document.createElement("button");
    command.button.type = "button";
    command.button.id = command.id || "";
    if (command.wide) command.button.className = "wide";
    if (command.icon) {
      command.button.innerHTML = '<svg viewBox="0 0 24 24" aria-hidden="true"><path></path></svg>';
    }
    command.button.onclick = (event) => {
      command.run(command.keys[0]);
      if (event.detail) command.button.blur();   // a pointer's: Space is for all then
    };
    $("buttons").append(command.button);
  }
  document.addEventListener("keydown", pressKey);
  showTheme();
  showControls();
}

function showControls() {
  for (const command of commands) {
    const { button, icon, label } = command;
    if (!button) continue;
    button.hidden = !counts(command);
    button.title = `${now(command.name)} (${keyNames(command)[0]})`;
    button.setAttribute("aria-label", now(command.name));
    if (icon) button.querySelector("path").setAttribute("d", ICONS[now(icon)]);
    else if (button.textContent !== now(label)) button.textContent = now(label);
  }
}

function showHelp() {
  $("keys").replaceChildren();
  for (const command of commands.filter((own) => own.keys && counts(own))) {
    const key = document.createElement("dt"), name = document.createElement("dd");
    key.textContent = keyNames(command).join(", ");
    name.textContent = now(command.name);
    $("keys").append(key, name);
  }
  $("help").showModal();
}

function pressKey(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || $("help").open) return;
  const place = event.target.tagName, key = event.key.toLowerCase();
  // The scrub bar and the lists have keys of their own, and Space presses a button.
  if (place === "SELECT") return;
  if (place === "INPUT" && (key.startsWith("arrow") || key === "home" || key === "end")) return;
  if (place === "BUTTON" && key === " ") return;
  const command = commands.find((own) => own.keys && own.keys.includes(key) && counts(own));
  if (!command) return;
  event.preventDefault();
  command.run(key);
}

// Steps to go through: `show` shows one, given the one before, and returns what ends with it.
const steps = {
  at: 0, playing: false, run: 0, count: () => 0, show: null, rest: () => {}, halt: () => {},

  go(step) {
    const before = this.at;
    this.at = Math.min(Math.max(step, 0), this.count());
    $("scrub").max = this.count();
    $("scrub").value = this.at;
    return this.show(this.at, before);
  },

  by(change) {
    this.stop();
    this.go(this.at + change);
  },

  async play() {
    if (this.playing) return this.stop();
    const run = this.run += 1;
    this.playing = true;
    if (this.at === this.count()) this.go(0);
    showControls();
    await this.rest();
    while (run === this.run && this.at < this.count()) await this.go(this.at + 1);
    if (run === this.run) this.stop();
  },

  stop() {
    this.run += 1;
    this.playing = false;
    this.halt();
    showControls();
  },

  // Commands; those before and after stand around the one that plays.
  commands(when, before = [], after = []) {
    return [
      { keys: ["home"], name: "To the beginning", when, run: () => this.by(-1e9) },
      ...before,
      { keys: ["arrowleft"], icon: "back", name: "A step back", when, run: () => this.by(-1) },
      { keys: [" ", "k"], icon: () => this.playing ? "pause" : "play", id: "play",
        name: () => this.playing ? "Pause" : "Play", when, run: () => this.play() },
      { keys: ["arrowright"], icon: "on", name: "A step on", when, run: () => this.by(1) },
      ...after,
      { keys: ["end"], name: "To the end", when, run: () => this.by(1e9) },
    ];
  },

  listen() {
    $("scrub").oninput = () => { this.stop(); this.go(Number($("scrub").value)); };
  },
};
