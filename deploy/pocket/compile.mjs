// Makes bytecode of every Python file below a folder, with the Python that will run it: node compile.mjs PYODIDE FOLDER
import { pathToFileURL } from "node:url";

const [pyodideFolder, folder] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${pyodideFolder}/pyodide.mjs`));
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0" } }); // the same sources make the same bytes
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
