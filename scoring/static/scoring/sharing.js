// Addresses, pictures and files go to other people in one tap: by whatever the device sends with. Else an address goes over
// the clipboard, and a file is kept.

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

// A phone that can't share this copies it instead. Closing the share sheet does neither.
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

// --- Pictures and files ---------------------------------------------------------------------------------------------
// The picture of a game goes to the others as a photo does: drawn here, sent with what the device has for it, else kept.
// So does every file in a pocket: a browser asks the network for what it downloads, past the service worker.

const SHARPER = 2;

const drawn = async (address) => {
  const image = new Image();
  image.src = address;
  await image.decode();
  const canvas = document.createElement("canvas");
  canvas.width = image.naturalWidth * SHARPER;
  canvas.height = image.naturalHeight * SHARPER;
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
};

const keep = (href, name) => {
  const link = document.createElement("a");
  link.href = href;
  link.download = name;
  link.click();
};

const pictureOf = async ({ href, dataset: { picture } }) => new File([await drawn(href)], picture, { type: "image/png" });
const fileOf = async ({ href, download }) => {
  const answer = await fetch(href);
  if (!answer.ok) throw new Error(`${href}: ${answer.status}`);
  const [, name] = /filename="([^"]+)"/.exec(answer.headers.get("Content-Disposition")) ?? [];
  const content = await answer.blob();
  return new File([content], download || name || "file", { type: content.type });
};

// A device that can't share files saves it instead. Closing the share sheet does neither.
const send = async (file) => {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file] });
    } catch (problem) {
      if (problem.name === "AbortError") return undefined;
    }
  }
  const address = URL.createObjectURL(file);
  keep(address, file.name);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-picture], [data-pocket] a[download]");
  if (!link || link.protocol === "blob:") return;
  event.preventDefault();
  (link.dataset.picture ? pictureOf(link) : fileOf(link)).then(send).catch(() => keep(link.href, ""));
});
