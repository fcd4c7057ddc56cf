// The worker that runs Python. It answers page requests one at a time, each after its changes are on disk. With
// `making`, a second instance makes a snapshot of the loaded application instead.

import { inMemory, isFull, mount, openDisk, room, unpack } from "./disk.js";

const PYTHON = new URL("python/", import.meta.url).href;
const LANGUAGES = "__LANGUAGES__";
const LOCK = { info: "__INFO__", packages: {} };
const BETWEEN = 200; // milliseconds, to let other tasks run
const ROOM_FOR_SNAPSHOT = 200_000_000; // bytes that must be free: records have priority
const say = (message) => postMessage(message);
const bytesOf = async (name) => {
  const answer = await fetch(PYTHON + name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  return new Uint8Array(await answer.arrayBuffer());
};

const load = async ({ making, snapshot }) => {
  const [{ loadPyodide }, { default: create }] = await Promise.all([
    import(`${PYTHON}pyodide.mjs`),
    import(`${PYTHON}pyodide.asm.mjs`),
  ]);
  const pack = bytesOf("app.pack");
  return loadPyodide({
    indexURL: PYTHON,
    lockFileContents: JSON.stringify(LOCK),
    packageBaseUrl: PYTHON,
    env: { HOME: "/app", VAR_DIR: "/app/var", PYTHONPATH: "/app", PYTHONOPTIMIZE: "2", PYTHONDONTWRITEBYTECODE: "1" },
    fsInit: async (FS) => unpack(FS, await pack),
    stdout: console.log,
    stderr: console.warn,
    _makeSnapshot: making,
    ...(snapshot ? { _loadSnapshot: snapshot } : {}),
    // A snapshot needs as much memory as when it was made.
    createPyodideModule: async (settings) => {
      const module = await create(settings);
      if (snapshot) module.growMemory(settings.INITIAL_MEMORY);
      return module;
    },
  });
};

const call = (python, code) => python.runPython(`from deploy.pocket import phone\n${code}`);
const setUp = (python, { base, zone }) => call(python, `phone.set_up(${JSON.stringify(base)}, ${JSON.stringify(zone)})`);

// English is built in. Other languages are fetched when chosen, then cached by the service worker; if that fails, pages
// keep their language.
const learn = async (python, language) => {
  if (language === "en" || !LANGUAGES.includes(language)) return;
  try {
    const [texts, said] = await Promise.all(["texts", language].map((name) => bytesOf(`../languages/${name}.json`)));
    call(python, "phone.learn")(language, texts, said);
  } catch (problem) {
    console.warn("Not learned:", problem);
    say({ unlearned: language });
  }
};
const chosen = ({ method, url, body }) =>
  method === "POST" && new URL(url).pathname.endsWith("/language/")
    ? new URLSearchParams(new TextDecoder().decode(body)).get("language")
    : "en";

// --- The snapshot, made once per version, so that later starts need not load the application
// ----------------------------

const snapshots = async () => (await navigator.storage.getDirectory()).getDirectoryHandle("pocket-snapshots", { create: true });

const makeSnapshot = async (started) => {
  const python = await load({ making: true });
  setUp(python, started);
  mount(python.FS, "/disk", await inMemory(await bytesOf("empty.sqlite3")));
  await learn(python, started.language);
  call(python, "phone.warm_up")(new URL(started.base, location).href, started.language);
  const made = python.makeMemorySnapshot();
  await forgetSnapshots();
  const { quota, usage } = await navigator.storage.estimate();
  if (quota - usage < ROOM_FOR_SNAPSHOT) throw new Error("no room");
  const handle = await (await (await snapshots()).getFileHandle(started.snapshot, { create: true })).createSyncAccessHandle();
  try {
    if (handle.write(made, { at: 0 }) < made.length) throw new Error("no room");
    handle.flush();
    say({ made: started.snapshot });
  } finally {
    handle.close();
  }
};

// Delete snapshots, which can be made again; return whether there were any.
const forgetSnapshots = async () => {
  const folder = await snapshots();
  const names = [];
  for await (const name of folder.keys()) names.push(name);
  for (const name of names) await folder.removeEntry(name);
  return names.length > 0;
};

const readSnapshot = async (name) => {
  try {
    return await (await (await (await snapshots()).getFileHandle(name)).getFile()).arrayBuffer();
  } catch {
    return null;
  }
};

// --- Answering ----------------------------------------------------------------------------------------------------------

const start = async (started) => {
  const began = performance.now();
  const snapshot = started.snapshot && (await readSnapshot(started.snapshot));
  const disk = openDisk(started.place, () => bytesOf("empty.sqlite3"));
  const python = await load({ snapshot });
  say({ stage: "python" });
  if (!snapshot) setUp(python, started);
  mount(python.FS, "/disk", await disk);
  await learn(python, started.language);
  call(python, "phone.wake()");
  await (await disk).settle();
  const respond = call(python, "phone.respond");
  const { files, settle } = await disk;
  say({ stage: "ready", took: performance.now() - began, snapshot: Boolean(snapshot) });
  call(python, "phone.warm")(new URL(started.base, location).href, started.language);
  loadMore(python);
  const act = async ({ method, url, headers, body }) => {
    await learn(python, chosen({ method, url, body }));
    const found = respond(method, url, headers, new Uint8Array(body));
    const [status, sent, content, visible] = found.toJs();
    found.destroy();
    for (const file of Object.values(files)) file.flush();
    await settle().catch((problem) => unlessReading(method, problem));
    if (visible.length) say({ visible });
    if (sent.some(([name]) => name === "Pocket-Restart")) say({ restart: true });
    return { status, headers: sent, body: content };
  };
  let lacked = false;
  return async (request) => {
    room.lacks = false;
    let answer = await act(request).catch(sorry);
    // The phone is full, so nothing was recorded: delete snapshots and retry.
    if (room.lacks && (await forgetSnapshots().catch(() => false))) {
      room.lacks = false;
      answer = await act(request).catch(sorry);
    }
    if (lacked !== room.lacks && (room.lacks || request.method === "POST")) say({ full: (lacked = room.lacks) });
    return answer;
  };
};

// A full phone still shows pages, with a notice that changes are not on disk yet.
const unlessReading = (method, problem) => {
  if (method !== "GET" || !isFull(problem)) throw problem;
  room.lacks = true;
};

const sorry = (problem) => {
  console.error("Not answered:", problem);
  if (isFull(problem)) room.lacks = true;
  return { status: 503, headers: [["Content-Type", "text/plain"], ["Retry-After", "1"]], body: new Uint8Array() };
};

let answering;
let last = Promise.resolve();

// Load the rest bit by bit while no request waits. Even after a snapshot the browser compiles what runs for the first time.
const loadMore = (python) =>
  setTimeout(() => {
    last = last.then(() => call(python, "phone.load_more()") && loadMore(python)).catch(console.warn);
  }, BETWEEN);

const serve = (port) => {
  port.onmessage = ({ data: { id, ...request } }) => {
    last = last.then(async () => {
      const answer = await answering.then((act) => act(request)).catch(sorry);
      port.postMessage({ id, ...answer }, [answer.body.buffer]);
    });
  };
  answering.then(() => port.postMessage({ ready: true }));
};

onmessage = ({ data, ports: [port] }) => {
  if (port) return serve(port);
  if (data.making) return makeSnapshot(data).catch((problem) => say({ unmade: String(problem) }));
  answering = start(data);
  answering.catch((problem) => say({ broken: String(problem?.stack ?? problem), lacking: room.lacks || isFull(problem), snapshot: data.snapshot }));
};
