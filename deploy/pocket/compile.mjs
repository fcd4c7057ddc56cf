// Compiles every Python file in a folder with the Python that will run it: node compile.mjs PYODIDE FOLDER
import { pathToFileURL } from "node:url";

const [pyodideFolder, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`));
// Reproducible bytecode; tracebacks have line numbers but no columns.
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0", PYTHONNODEBUGRANGES: "1" } });
python.mountNodeFS("/tree", folder);
python.runPython(`
import pathlib, py_compile
for path in sorted(pathlib.Path("/tree").rglob("*.py")):
    name = path.relative_to("/tree").as_posix()
    py_compile.compile(
        str(path), cfile=f"{path}c", dfile=name, doraise=True, optimize=2,
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    path.unlink()
`);
// Also compile the sources generated for dataclasses and named tuples, a quarter of the start-up time.
python.runPython(`
import collections, dataclasses, marshal, os, sys
made = {}
def note(source, *names, run, kind):
    made[source] = compile(source, "<made>", kind, optimize=2)
    return run(source, *names)
dataclasses.exec = lambda *given: note(*given, run=exec, kind="exec")
collections.eval = lambda *given: note(*given, run=eval, kind="eval")
os.environ["VAR_DIR"] = "/tree/app/var"
sys.path.insert(0, "/tree/app")
sys.dont_write_bytecode = True
from deploy.pocket import phone
phone.set_up("/", "UTC")
while phone.load_more():
    pass
pathlib.Path("/tree/app/sources").write_bytes(marshal.dumps(dict(sorted(made.items()))))
`);
