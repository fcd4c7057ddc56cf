// Keeps the screen awake while a hand runs, but not all night.

const LONGEST_IDLE = 15 * 60 * 1000;
let lock = null;
let changing = false;
let stirred = Date.now();

const wanted = () =>
  document.querySelector("[data-running]") !== null &&
  document.visibilityState === "visible" &&
  Date.now() - stirred < LONGEST_IDLE;

const watch = async () => {
  if (changing || wanted() === (lock !== null)) return;
  changing = true;
  try {
    if (lock) {
      await lock.release();
    } else {
      lock = await navigator.wakeLock.request("screen");
      lock.addEventListener("release", () => {
        lock = null;
        watch();
      });
    }
  } catch {
    // A nearly empty battery says no.
  } finally {
    changing = false;
  }
};

const stir = () => {
  stirred = Date.now();
  watch();
};

if ("wakeLock" in navigator) {
  for (const happening of ["visibilitychange", "htmx:afterSwap", "table-shown", "pointerdown", "keydown"]) {
    document.addEventListener(happening, stir);
  }
  setInterval(watch, 60 * 1000);
  watch();
}
