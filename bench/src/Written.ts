/** Puts results where the documents show them: between `<!-- name -->` and `<!-- end -->`. */
import { readFileSync, writeFileSync } from "node:fs"

const between = (file: URL, name: string, text: string): void => {
  const page = readFileSync(file, "utf8")
  const [begin, end] = [`<!-- ${name} -->\n`, "<!-- end -->"]
  const from = page.indexOf(begin)
  const to = page.indexOf(end, from)
  if (from < 0 || to < 0) throw new Error(`${file.pathname} has no place for ${name}`)
  writeFileSync(file, `${page.slice(0, from)}${begin}\n${text}\n\n${page.slice(to)}`)
}

/** Writes a table into this workspace's README. */
export const put = (name: string, text: string): void =>
  between(
    new URL("../README.md", import.meta.url),
    name,
    text.split("\n").map((line) => line === "" ? "" : `    ${line}`).join("\n")
  )

/** Writes sentences into the README of the whole. */
export const say = (name: string, text: string): void =>
  between(new URL("../../README.md", import.meta.url), name, text)
