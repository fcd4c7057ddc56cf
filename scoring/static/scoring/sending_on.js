// An address goes to the others in one tap: by whatever the device sends with, else over the clipboard.

const root = document.documentElement;
if (navigator.share) root.dataset.shares = "";

// At an address without encryption, as at home, browsers keep the clipboard from pages; what is selected they copy.
const copySelected = (text) => {
  const field = document.createElement("textarea");
  field.value = text;
  field.readOnly = true;
  field.className = "visually-hidden";
  document.body.append(field);
  field.select();
  const copied = document.execCommand("copy");
  field.remove();
  return copied;
};
const copy = (text) =>
  navigator.clipboard
    ? navigator.clipboard.writeText(text).then(
        () => true,
        () => copySelected(text),
      )
    : copySelected(text);

// A phone that cannot send this, after all, copies it; whoever closes the sheet wanted neither.
const share = async (button) => {
  const { send: url, title, text } = button.dataset;
  if (navigator.share) {
    try {
      await navigator.share({ title, ...(text && { text }), ...(url && { url }) });
      return false;
    } catch (problem) {
      if (problem.name === "AbortError") return false;
    }
  }
  return copy(text ? `${title}: ${text}${url && `\n${url}`}` : url);
};

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-send]");
  if (!button) return;
  const copied = await share(button);
  button.focus({ preventScroll: true });
  const note = button.parentElement.querySelector("[data-copied]");
  note.textContent = copied ? note.dataset.copied : "";
});
