/** The sources that the page is built from, to tell whether it is older than they are. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

const folder = fileURLToPath(new URL("src", import.meta.url))

/** SHA-256 of the names and texts of all of them. */
export const digest = (): string => {
  const hash = createHash("sha256")
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
  for (const path of files.map(({ name, parentPath }) => `${parentPath}/${name}`).toSorted()) {
    hash.update(`${path.slice(folder.length)}\0${readFileSync(path, "utf8")}\0`)
  }
  return hash.digest("hex")
}
