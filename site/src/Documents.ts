/** The documents of the site, in the order of their index, `docs/README.md`. */
import { existsSync, readFileSync, statSync } from "node:fs"
import { dirname, join, normalize, resolve } from "node:path"
import * as Index from "../../reference/src/Index.ts"

export const root = resolve(import.meta.dirname, "../..")

export const INDEX = "docs/README.md"

export interface Document {
  /** The path from the root of the repository. */
  readonly path: string
  /** The section of the index in which it stands. */
  readonly section: string
}

/** The section of what only other documents link to. */
export const FURTHER = "Further documents"

/** The section of the programs that documents link to. */
export const PROGRAMS = "Programs"

const text = (path: string): string => readFileSync(join(root, path), "utf8")

const isFile = (path: string): boolean => existsSync(join(root, path)) && statSync(join(root, path)).isFile()

/** Returns the files of this repository to which a document links, in their order. What stands in blocks of code is no link. */
const linked = (document: string): ReadonlyArray<string> =>
  Array.from(
    text(document).replaceAll(/```[^]*?^ *```$/gm, "").matchAll(/\]\(([^)\s#]+)/g),
    ([, target = ""]) => target
  )
    .filter((target) => !/^\w+:/.test(target))
    .map((target) => normalize(join(dirname(document), target)))
    .filter(isFile)

/** Returns the files to which the items of a section link, in their order. */
const targets = ({ items }: Index.Section): ReadonlyArray<string> =>
  items.flatMap((item) => Array.from(item.matchAll(/\]\(([^)#]+)/g), ([, target = ""]) => target))

const sections = Index.sections(text(INDEX))

/** The titles of the sections, in their order. */
export const titles: ReadonlyArray<string> = [...sections.map(({ title }) => title), FURTHER, PROGRAMS]

/** The readme of a package is the page of that package in the API. */
const isReadme = (path: string): boolean => /^packages\/\w+\/README\.md$/.test(path)

const isShown = (path: string): boolean => /\.(?:md|ts)$/.test(path) && path !== INDEX && !isReadme(path)

/** Every document and program that can be reached from the index by links, once: listed ones first, then the others. */
export const all: ReadonlyArray<Document> = (() => {
  const found = new Map<string, Document>()
  for (const section of sections) {
    for (const path of targets(section).filter(isFile).filter(isShown)) {
      if (!found.has(path)) found.set(path, { path, section: section.title })
    }
  }
  // A map goes on with what is added while it is walked.
  for (const { path } of found.values()) {
    if (!path.endsWith(".md")) continue
    for (const target of linked(path).filter(isShown)) {
      const section = target.endsWith(".md") ? FURTHER : PROGRAMS
      if (!found.has(target)) found.set(target, { path: target, section })
    }
  }
  return Array.from(found.values())
})()

export const isProgram = ({ section }: Document): boolean => section === PROGRAMS

/** Returns the name under which a document is listed: its heading. */
export const nameOf = (path: string): string => /^# (.*)$/m.exec(text(path))?.[1]?.replaceAll("`", "") ?? path
