/** Parses every line and writes it again: what reading and writing the same JSON costs at least. */
import { createReadStream, writeSync } from "node:fs"
import { join } from "node:path"
import type { Task } from "../reconcile/contender.ts"

export const run = async ({ book, output }: Task): Promise<void> => {
  for (const side of ["deposits", "transfers"]) {
    let rest = ""
    for await (const chunk of createReadStream(join(book.directory, `${side}.ndjson`), { encoding: "utf8" })) {
      const lines = (rest + String(chunk)).split("\n")
      rest = lines.pop() ?? ""
      writeSync(output, lines.map((line) => `${JSON.stringify(JSON.parse(line))}\n`).join(""))
    }
  }
}
