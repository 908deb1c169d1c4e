/** Where generated files are kept between runs, as long as the generator stays the same. */
import { createHash } from "node:crypto"
import { readFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const sources = ["Generator.ts", "History.ts"]

const version = sources
  .reduce((hash, name) => hash.update(readFileSync(new URL(name, import.meta.url))), createHash("sha256"))
  .digest("hex")
  .slice(0, 12)

export const root = join(tmpdir(), "tallystick-bench", version)
