/** The index of the documents, `docs/README.md`: its sections, and the items of each on one line. */

export interface Section {
  readonly title: string
  /** The items in their order, as Markdown whose links start at the root of the repository. */
  readonly items: ReadonlyArray<string>
}

/** Makes a link of the index one from the root of the repository. */
const fromRoot = (target: string): string => new URL(target, "file:///docs/").pathname.slice(1)

export const sections = (index: string): ReadonlyArray<Section> => {
  const lines = index.replaceAll(/\n {2,}(?=\S)/g, " ").split("\n")
  const found: Array<{ readonly title: string; readonly items: Array<string> }> = []
  for (const line of lines) {
    const title = /^(\S.*):$/.exec(line)?.[1]
    if (title !== undefined) found.push({ title, items: [] })
    const item = /^(?:-|\d+\.) (.*)$/.exec(line)?.[1]
    if (item === undefined) continue
    found.at(-1)?.items.push(item.replaceAll(/\]\(([^)#]+)/g, (_, target: string) => `](${fromRoot(target)}`))
  }
  return found
}
