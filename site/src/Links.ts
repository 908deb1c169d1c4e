/** Checks the written site: every link leads to a file and an anchor that are there, and nothing is loaded from elsewhere. */
import { Parser } from "htmlparser2"
import { existsSync, globSync, readFileSync } from "node:fs"
import { join } from "node:path"

interface Page {
  readonly anchors: ReadonlySet<string>
  readonly links: ReadonlyArray<string>
  /** What a browser fetches to show the page. */
  readonly loaded: ReadonlyArray<string>
}

const LOADING = new Set(["script", "img", "link", "iframe", "source", "video", "audio", "object", "embed"])

const read = (html: string): Page => {
  const anchors = new Set<string>()
  const links: Array<string> = []
  const loaded: Array<string> = []
  const parser = new Parser({
    onopentag: (name, attributes) => {
      if (attributes["id"] !== undefined) anchors.add(attributes["id"])
      for (const target of [attributes["href"], attributes["src"]]) {
        // A part of a picture in the page is no file.
        if (target === undefined || name === "use") continue
        links.push(target)
        if (LOADING.has(name)) loaded.push(target)
      }
    }
  })
  parser.end(html)
  return { anchors, links, loaded }
}

export interface Checked {
  readonly pages: number
  readonly links: number
  /** What is wrong, a line each. */
  readonly dead: ReadonlyArray<string>
}

/** A place that no page has, at which the pages are thought to be. */
const BASE = "site:///"

const isOutside = (url: URL): boolean => url.protocol !== "site:"

/** Checks every page in a folder. Links to other sites are not followed. */
export const check = (folder: string): Checked => {
  const pages = new Map(
    globSync("**/*.html", { cwd: folder }).map((path) => [path, read(readFileSync(join(folder, path), "utf8"))])
  )
  const why = (from: string, { anchors }: Page, target: string): string | undefined => {
    if (!URL.canParse(target, `${BASE}${from}`)) return "is no address"
    const url = new URL(target, `${BASE}${from}`)
    if (isOutside(url)) return undefined
    const path = decodeURIComponent(url.pathname.slice(1))
    const anchor = decodeURIComponent(url.hash.slice(1))
    if (!existsSync(join(folder, path))) return "leads to no file"
    const there = path === from ? anchors : pages.get(path)?.anchors
    return anchor === "" || there === undefined || there.has(anchor) ? undefined : "leads to no anchor"
  }
  const dead: Array<string> = []
  let links = 0
  for (const [path, page] of pages) {
    links += page.links.length
    for (const target of page.links) {
      const problem = why(path, page, target)
      if (problem !== undefined) dead.push(`${path}: ${target} ${problem}`)
    }
    for (const target of page.loaded) {
      if (URL.canParse(target, BASE) && isOutside(new URL(target, BASE))) {
        dead.push(`${path}: ${target} is loaded from elsewhere`)
      }
    }
  }
  return { pages: pages.size, links, dead }
}
