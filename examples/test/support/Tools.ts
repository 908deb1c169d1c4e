/** The tools of an auditor, in a folder for `PATH`: those of the machine, or as much of them in Node as the documents use. */
import { spawnSync } from "node:child_process"
import { chmodSync, writeFileSync } from "node:fs"
import { join } from "node:path"

const inNode: Readonly<Record<string, string>> = {
  sqlite3: `
const { DatabaseSync } = require("node:sqlite")
const [address, text] = process.argv.slice(2)
const database = new DatabaseSync(new URL("file://" + process.cwd() + "/" + address.replace(/^file:/, "")), { readOnly: true })
for (const row of database.prepare(text).all()) console.log(Object.values(row).map((cell) => cell ?? "").join("|"))
`,
  sha256sum: `
const hash = require("node:crypto").createHash("sha256")
process.stdin.pipe(hash).on("finish", () => console.log(hash.digest("hex") + "  -"))
`
}

const isThere = (tool: string): boolean => spawnSync(tool, ["--version"]).status === 0

/** Writes those that the machine lacks, or all of them where Node's are wanted. */
export const write = (folder: string, which: "all" | "missing"): void => {
  for (const [tool, source] of Object.entries(inNode)) {
    if (which === "missing" && isThere(tool)) continue
    const file = join(folder, tool)
    writeFileSync(file, `#!${process.execPath}\n${source}`)
    chmodSync(file, 0o755)
  }
}
