// Sound and vibration for a trick, a rule break, the end of a hand and a win, where the *Display* sheet says so. The page
// says in attributes of its root what has happened; sounds are made here, and nothing is played in the background.

const PATTERNS = {
  trick: [15],
  hand: [30, 60, 30],
  caught: [60, 40, 60],
  win: [60, 60, 60, 60, 160],
};
// Each note: when it begins and how long it lasts, in seconds, and its pitch in hertz.
const TUNES = {
  trick: [[0, 0.09, 659]],
  hand: [[0, 0.16, 523], [0.13, 0.16, 659], [0.26, 0.3, 784]],
  caught: [[0, 0.2, 233], [0.2, 0.4, 175]],
  win: [[0, 0.16, 523], [0.14, 0.16, 659], [0.28, 0.16, 784], [0.42, 0.7, 1047], [0.42, 0.7, 784]],
};
const LOUD = 0.12;

// What of it is told: of several things at once the greatest. Nothing that an undo brings back.
export const news = (before, now) => {
  if (!before || now.version <= before.version) return "";
  if (now.won && !before.won) return "win";
  if (now.over > before.over) return "hand";
  if (now.caught && !before.caught) return "caught";
  return now.trick > before.trick ? "trick" : "";
};

const facts = () => {
  const root = document.querySelector("[data-version][data-trick]");
  if (!root) return null;
  const { version, trick, over } = root.dataset;
  const caught = document.querySelectorAll(".caught[data-fresh]").length > 0;
  return { version: Number(version), trick: Number(trick), over: Number(over), won: "won" in root.dataset, caught };
};

let audio = null;
const wanted = () => document.documentElement.dataset.sound === "on";

// A browser gives sound only to who has touched the page.
const ready = () => {
  if (!wanted()) return;
  audio ??= new AudioContext();
  if (audio.state === "suspended") audio.resume();
};
for (const touch of ["pointerdown", "keydown"]) addEventListener(touch, ready, true);

const note = (from, length, pitch) => {
  const [tone, gain, at] = [audio.createOscillator(), audio.createGain(), audio.currentTime + from];
  tone.type = "triangle";
  tone.frequency.value = pitch;
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(LOUD, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.001, at + length);
  tone.connect(gain).connect(audio.destination);
  tone.start(at);
  tone.stop(at + length);
};

const play = (what) => {
  if (!what || !wanted() || document.hidden) return;
  navigator.vibrate?.(PATTERNS[what]);
  if (audio?.state === "running") for (const each of TUNES[what]) note(...each);
  document.dispatchEvent(new CustomEvent("played", { detail: what }));
};

let last = facts();
const look = () => {
  const now = facts();
  play(now && news(last, now));
  last = now ?? last;
};
for (const happening of ["htmx:afterSwap", "table-shown"]) document.addEventListener(happening, look);
