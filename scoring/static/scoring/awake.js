// Keeps the screen awake while a hand runs, but not all night.
//
// At a plain address in a home network browsers know no wake lock. There a film plays in a corner, black and without a
// sound: while a film plays, no device lets its screen sleep.

const LONGEST_IDLE = 15 * 60 * 1000;
// Apple's devices let the screen sleep over a film that has no sound track; on others a sound track disturbs music.
const FILM = /^Apple/.test(navigator.vendor) ? "mp4" : "webm";
let letSleep = null;
let film = null;
let changing = false;
let stirred = Date.now();

const wanted = () =>
  document.querySelector("[data-running]") !== null &&
  document.visibilityState === "visible" &&
  Date.now() - stirred < LONGEST_IDLE;

const lockScreen = async (lost) => {
  const lock = await navigator.wakeLock.request("screen");
  lock.addEventListener("release", lost, { once: true });
  return () => lock.release();
};

const loadFilm = async () => {
  const answer = await fetch(document.querySelector(`meta[name="film-${FILM}"]`).content);
  const video = document.createElement("video");
  Object.assign(video, { className: "film", muted: true, loop: true, playsInline: true, tabIndex: -1 });
  video.setAttribute("aria-hidden", "true");
  video.src = URL.createObjectURL(await answer.blob());
  return document.body.appendChild(video);
};

const playFilm = async (lost) => {
  film ??= await loadFilm();
  await film.play();
  film.addEventListener("pause", lost, { once: true });
  return () => film.pause();
};

const keepAwake = "wakeLock" in navigator ? lockScreen : playFilm;

const watch = async () => {
  if (changing || wanted() === (letSleep !== null)) return;
  changing = true;
  try {
    if (letSleep) {
      await letSleep();
    } else {
      letSleep = await keepAwake(() => {
        letSleep = null;
        watch();
      });
    }
  } catch {
    // A nearly empty battery says no, and some browsers play nothing before the first tap: the next one asks again.
  } finally {
    changing = false;
  }
};

const stir = () => {
  stirred = Date.now();
  watch();
};

for (const happening of ["visibilitychange", "htmx:afterSwap", "table-shown", "pointerdown", "click", "keydown"]) {
  document.addEventListener(happening, stir);
}
setInterval(watch, 60 * 1000);
watch();
