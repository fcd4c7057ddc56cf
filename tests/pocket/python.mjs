// Runs Python code with all that a built pocket has, in Node: node python.mjs POCKET PYODIDE CODE < input, which is `given`.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { pathToFileURL } from "node:url";
import { gunzipSync } from "node:zlib";

const [folder, pyodideFolder, code] = process.argv.slice(2);
let given = "";
for await (const text of process.stdin.setEncoding("utf8")) given += text;
const listed = JSON.parse(/const FILES = (\[.*\]);/.exec(readFileSync(`${folder}/sw.js`, "utf8"))[1]);
const fileOf = (wanted) => {
  const [, digest] = listed.find(([name]) => name === wanted);
  return gunzipSync(readFileSync(`${folder}/files/${digest}.bin`));
};
const { unpack } = await import(pathToFileURL(`${folder}/disk.js`));
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`));
const own = mkdtempSync(`${tmpdir()}/pocket-`);
writeFileSync(`${own}/python_stdlib.zip`, fileOf("python/python_stdlib.zip"));
const python = await loadPyodide({
  stdLibURL: `${own}/python_stdlib.zip`,
  env: { HOME: "/app", PYTHONPATH: "/app", VAR_DIR: "/app/var", PYTHONDONTWRITEBYTECODE: "1" },
  fsInit: async (FS) => {
    unpack(FS, fileOf("python/app.pack"));
    FS.mkdirTree("/disk");
    FS.writeFile("/disk/db.sqlite3", fileOf("python/empty.sqlite3"));
  },
});
rmSync(own, { recursive: true });
python.globals.set("given", given);
process.stdout.write(String(python.runPython(code)));
