// The pocket's disk: the database and its journal, exposed to SQLite as files in Emscripten's file system.
//
// With synchronous access handles of the origin private file system, data is on disk when a flush returns. Otherwise
// blocks are kept in memory, and `settle` writes changed ones to IndexedDB in one transaction.

const BLOCK = 4096;
const NAMES = ["db.sqlite3", "db.sqlite3-journal"];
const MAGIC = "SQLite format 3\0";
const ENOENT = 44;
const ENOSPC = 51;
const EPERM = 63;
const DIRECTORY = 0o40777;
const FILE = 0o100666;

// Set when a write failed for lack of space; reset by the caller.
export const room = { lacks: false };
export const isFull = (problem) => problem?.name === "QuotaExceededError";

class HandleFile {
  constructor(handle) {
    this.handle = handle;
    this.dirty = false;
  }
  get size() {
    return this.handle.getSize();
  }
  read(bytes, at) {
    return this.handle.read(bytes, { at });
  }
  write(bytes, at) {
    this.dirty = true;
    return this.handle.write(bytes, { at });
  }
  truncate(size) {
    this.dirty = true;
    this.handle.truncate(size);
  }
  flush() {
    if (this.dirty) this.handle.flush();
    this.dirty = false;
  }
}

class BlockFile {
  constructor(blocks, size) {
    this.bytes = new Uint8Array(Math.max(size, BLOCK));
    for (const [number, block] of blocks) this.bytes.set(block, number * BLOCK);
    this.size = size;
    this.changed = new Set();
  }
  read(bytes, at) {
    const found = this.bytes.subarray(at, Math.min(at + bytes.length, this.size));
    bytes.set(found);
    return found.length;
  }
  write(bytes, at) {
    const end = at + bytes.length;
    if (end > this.bytes.length) {
      const grown = new Uint8Array(Math.ceil((2 * end) / BLOCK) * BLOCK);
      grown.set(this.bytes);
      this.bytes = grown;
    }
    this.bytes.set(bytes, at);
    this.size = Math.max(this.size, end);
    for (let number = Math.floor(at / BLOCK); number * BLOCK < end; number++) this.changed.add(number);
    return bytes.length;
  }
  truncate(size) {
    if (size < this.size) this.bytes.fill(0, size, this.size);
    this.size = size;
    this.changed.add(0);
  }
  flush() {}
}

// --- Opening ----------------------------------------------------------------------------------------------------------

// Private windows of some browsers have the file system but refuse access.
const hasHandles = async () => {
  if (!("FileSystemFileHandle" in self && "createSyncAccessHandle" in FileSystemFileHandle.prototype)) return false;
  return navigator.storage.getDirectory().then(() => true, (problem) => {
    if (problem.name === "SecurityError") return false;
    throw problem;
  });
};

// A closed tab may hold its handles for a moment.
const handleOf = async (folder, name, tries = 20) => {
  try {
    return await (await folder.getFileHandle(name, { create: true })).createSyncAccessHandle();
  } catch (problem) {
    if (!tries || problem.name !== "NoModificationAllowedError") throw problem;
    await new Promise((done) => setTimeout(done, 100));
    return handleOf(folder, name, tries - 1);
  }
};

const inPrivateFileSystem = async (place) => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(place, { create: true });
  const files = {};
  for (const name of NAMES) files[name] = new HandleFile(await handleOf(folder, name));
  return { files, settle: async () => {} };
};

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

const inIndexedDb = async (place) => {
  const opening = indexedDB.open(`disk-${place}`, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("blocks");
  const base = await done(opening);
  const [name] = NAMES;
  const store = base.transaction("blocks").objectStore("blocks");
  const [keys, values] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
  const kept = new Map(keys.map((key, index) => [key, values[index]]));
  const size = kept.get("size") ?? 0;
  kept.delete("size");
  const file = new BlockFile(kept, size);
  const settle = async () =>
    file.changed.size &&
    new Promise((resolve, reject) => {
      const writing = base.transaction("blocks", "readwrite", { durability: "strict" });
      const blocks = writing.objectStore("blocks");
      for (const number of file.changed) blocks.put(file.bytes.slice(number * BLOCK, (number + 1) * BLOCK), number);
      blocks.put(file.size, "size");
      writing.oncomplete = () => resolve(file.changed.clear());
      writing.onabort = () => reject(writing.error);
    });
  return { files: { [name]: file, [NAMES[1]]: new BlockFile([], 0) }, settle };
};

const isDatabase = (file) => {
  const head = new Uint8Array(MAGIC.length);
  return file.read(head, 0) === head.length && String.fromCharCode(...head) === MAGIC;
};

// Start with an empty database. The first block is written last, since only that makes the file valid.
const begin = async (disk, empty) => {
  const file = disk.files[NAMES[0]];
  file.truncate(0);
  file.write(empty.subarray(BLOCK), BLOCK);
  file.flush();
  file.write(empty.subarray(0, BLOCK), 0);
  file.flush();
  await disk.settle();
};

export const inMemory = async (empty) => {
  const disk = { files: Object.fromEntries(NAMES.map((name) => [name, new BlockFile([], 0)])), settle: async () => {} };
  await begin(disk, empty);
  return disk;
};

export const openDisk = async (place, empty) => {
  const disk = await ((await hasHandles()) ? inPrivateFileSystem(place) : inIndexedDb(place));
  if (!isDatabase(disk.files[NAMES[0]])) await begin(disk, await empty());
  return disk;
};

// --- As a file system -------------------------------------------------------------------------------------------------

// Mount it at a folder. The journal is flushed before any write to the database, whatever SQLite asks for.
export const mount = (FS, folder, { files }) => {
  const [database, journal] = NAMES.map((name) => files[name]);
  const fail = (number) => {
    throw new FS.ErrnoError(number);
  };
  const orFull = (act) => {
    try {
      return act();
    } catch (problem) {
      console.error("Not written:", problem);
      room.lacks = true;
      return fail(ENOSPC);
    }
  };
  const stat = (node) => {
    const size = node.file?.size ?? 0;
    const at = new Date();
    return { dev: 1, ino: node.id, mode: node.mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, atime: at, mtime: at, ctime: at, blksize: BLOCK, blocks: Math.ceil(size / BLOCK) };
  };
  const node_ops = {
    getattr: stat,
    setattr: ({ file }, { size }) => size !== undefined && file && orFull(() => file.truncate(size)),
    lookup: () => fail(ENOENT),
    mknod: () => fail(EPERM),
    rename: () => fail(EPERM),
    unlink: (parent, name) => orFull(() => files[name].truncate(0)),
    rmdir: () => fail(EPERM),
    readdir: () => [".", "..", ...NAMES],
    symlink: () => fail(EPERM),
  };
  const stream_ops = {
    read: ({ node }, buffer, offset, length, at) => node.file.read(buffer.subarray(offset, offset + length), at),
    write: ({ node: { file } }, buffer, offset, length, at) =>
      orFull(() => {
        if (file === database) journal.flush();
        const written = file.write(buffer.subarray(offset, offset + length), at);
        if (written < length) throw new Error("full");
        return written;
      }),
    fsync: ({ node: { file } }) => orFull(() => file.flush()) ?? 0,
    llseek: (stream, offset, whence) => offset + (whence === 1 ? stream.position : whence === 2 ? stream.node.file.size : 0),
  };
  const system = {
    mount: () => {
      const root = Object.assign(FS.createNode(null, "/", DIRECTORY, 0), { node_ops, stream_ops });
      for (const name of NAMES) {
        const node = FS.createNode(root, name, FILE, 0);
        Object.assign(node, { node_ops: { ...node_ops }, stream_ops, file: files[name] });
      }
      return root;
    },
  };
  FS.mkdirTree(folder);
  FS.mount(system, {}, folder);
};

// --- The application's files
// ---------------------------------------------------------------------------------------------

// Unpack the application to /app (the first line of the pack lists names and sizes); modules are read from the pack.
export const unpack = (FS, pack) => {
  const end = pack.indexOf(10);
  const folders = new Set();
  let at = end + 1;
  FS.writeFile("/app.pack", pack.subarray(at), { canOwn: true });
  for (const [name, size] of JSON.parse(new TextDecoder().decode(pack.subarray(0, end)))) {
    const path = `/app/${name}`;
    const folder = path.slice(0, path.lastIndexOf("/"));
    if (!folders.has(folder)) FS.mkdirTree(folder);
    folders.add(folder);
    FS.writeFile(path, pack.subarray(at, at + size), { canOwn: true });
    at += size;
  }
};
