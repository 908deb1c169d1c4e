/**
 * A packer cuts outcomes into packs. Where a pack ends depends on the outcomes alone and not on where a run begins: two runs that
 * come to the same outcomes of some time share the packs of that time.
 */
import type * as Content from "./Content.ts"

/** A pack holds about so many outcomes: a smaller one has more words of its own, and a larger one is shared less often. */
const ABOUT = 256

/** No pack holds more outcomes. */
const MOST = 1024

/** A pack that holds so much text is full, however few its outcomes are. */
const FULL = 1_000_000

/** So many outcomes wait at most: an outcome that was decided out of turn finds its place in time among them. */
const WINDOW = 8192

/** So much text waits at most. */
const HEAVY = 32_000_000

const compare = (a: Content.Content, b: Content.Content): number => a.at - b.at || (a.digest < b.digest ? -1 : 1)

/** Tells whether a pack ends with this outcome. */
const isLast = ({ digest }: Content.Content): boolean => Number.parseInt(digest.slice(0, 8), 16) % ABOUT === 0

type Group = ReadonlyArray<Content.Content>

const textOf = (contents: Group): number => contents.reduce((sum, { content }) => sum + content.length, 0)

interface Packer {
  /** Takes an outcome, and gives the outcomes of packs that are full. */
  readonly add: (content: Content.Content) => ReadonlyArray<Group>
  /** Gives the rest, and ends the packer. */
  readonly finish: () => ReadonlyArray<Group>
}

export const make = (): Packer => {
  let waiting: Array<Content.Content> = []
  let waitingText = 0
  let open: Array<Content.Content> = []
  let openText = 0

  const cut = (contents: Group): ReadonlyArray<Group> => {
    const full: Array<Group> = []
    for (const content of contents) {
      open.push(content)
      openText += content.content.length
      if (open.length < MOST && openText < FULL && !isLast(content)) continue
      full.push(open)
      open = []
      openText = 0
    }
    return full
  }

  return {
    add: (content) => {
      waiting.push(content)
      waitingText += content.content.length
      if (waiting.length < WINDOW && waitingText < HEAVY) return []
      const ordered = waiting.toSorted(compare)
      const half = Math.ceil(ordered.length / 2)
      waiting = ordered.slice(half)
      waitingText = textOf(waiting)
      return cut(ordered.slice(0, half))
    },
    finish: () => {
      const full = cut(waiting.toSorted(compare))
      return open.length === 0 ? full : [...full, open]
    }
  }
}
