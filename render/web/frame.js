"use strict";
// What all pages share: the data, the colours, commands as keys, buttons and lines of the help, and
// steps to go through.

const KEY_NAMES = {
  " ": "Space", arrowleft: "Left", arrowright: "Right", arrowup: "Up", arrowdown: "Down",
  home: "Home", end: "End", pageup: "Page Up", pagedown: "Page Down",
};

const $ = (id) => document.getElementById(id);
const facts = JSON.parse($("data").textContent);
const state = { theme: "" };
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

// A command has keys and a name; one with a label has a button. These may be functions.
// It counts `when` it says so. An `element` stands among the buttons as it is.
let commands = [];
const FRAME_COMMANDS = [
  { keys: ["l"], name: "Light or dark", label: () => isDark() ? "Light" : "Dark",
    run: () => { state.theme = isDark() ? "light" : "dark"; showTheme(); } },
  { keys: ["f"], name: "Full screen", label: "Full screen", wide: true, run: fullScreen },
  { keys: ["?", "h"], name: "Help", label: "Help", run: showHelp },
];
const now = (part) => typeof part === "function" ? part() : part;
const counts = ({ when }) => !when || when();
const keyNames = ({ keys }) => keys.filter((key) => key !== "=").map(
  (key) => KEY_NAMES[key] || key.toUpperCase());

function makeControls(own) {
  commands = [...own, ...FRAME_COMMANDS];
  for (const command of commands) {
    if (command.element) $("buttons").append(command.element);
    if (!command.label) continue;
    command.button = document.createElement("button");
    command.button.type = "button";
    command.button.id = command.id || "";
    if (command.wide) command.button.className = "wide";
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
    const { button, label } = command;
    if (!button) continue;
    button.hidden = !counts(command);
    button.title = `${now(command.name)} (${keyNames(command)[0]})`;
    button.setAttribute("aria-label", now(command.name));
    if (button.textContent !== now(label)) button.textContent = now(label);
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
  // The scrub bar has keys of its own, and Space presses a button.
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
      { keys: ["arrowleft"], label: "Back", name: "A step back", when, run: () => this.by(-1) },
      { keys: [" ", "k"], label: () => this.playing ? "Pause" : "Play", id: "play",
        name: () => this.playing ? "Pause" : "Play", when, run: () => this.play() },
      { keys: ["arrowright"], label: "On", name: "A step on", when, run: () => this.by(1) },
      ...after,
      { keys: ["end"], name: "To the end", when, run: () => this.by(1e9) },
    ];
  },

  listen() {
    $("scrub").oninput = () => { this.stop(); this.go(Number($("scrub").value)); };
  },
};
