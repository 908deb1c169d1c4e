/** The sources that the page is built from, to tell whether it is older than they are. */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

/** The page's own, the pieces and styles that it shares with the report's page, and the description of what the console answers. */
const folders = ["src", "../../report/page/src/components", "../../report/page/src/styles", "../src/internal/api"]

/** SHA-256 of the names and texts of all of them. */
export const digest = (): string => {
  const hash = createHash("sha256")
  for (const folder of folders) {
    const root = fileURLToPath(new URL(folder, import.meta.url))
    const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((file) => file.isFile())
    for (const path of files.map(({ name, parentPath }) => `${parentPath}/${name}`).toSorted()) {
      hash.update(`${folder}${path.slice(root.length)}\0${readFileSync(path, "utf8")}\0`)
    }
  }
  return hash.digest("hex")
}
