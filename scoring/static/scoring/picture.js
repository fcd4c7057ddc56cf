// The picture of a game goes to the others as a photo does: drawn here, sent with what the device has for it, else kept.

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

// Whoever closes the sheet wanted neither; a device that cannot share files, after all, keeps it.
const send = async ({ href, dataset: { picture } }) => {
  const file = new File([await drawn(href)], picture, { type: "image/png" });
  if (navigator.canShare?.({ files: [file] })) {
    try {
      return await navigator.share({ files: [file] });
    } catch (problem) {
      if (problem.name === "AbortError") return undefined;
    }
  }
  const address = URL.createObjectURL(file);
  keep(address, picture);
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
};

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-picture]");
  if (!link) return;
  event.preventDefault();
  send(link).catch(() => keep(link.href, ""));
});
