/** What the responses of one operation have shown so far about how long a response can be. It only grows. */

export interface Evidence {
  /** A response of this many records may have been cut off. One that is shorter than another already seen was not. */
  readonly mayBeCut: (length: number) => boolean
  readonly sawLength: (length: number) => void
  /** Two pages in a row were the same: the parameter `page` does nothing. */
  readonly sawSamePage: () => void
  readonly pageWorks: () => boolean
}

export const make = (): Evidence => {
  let longest = 0
  let pageWorks = true
  return {
    mayBeCut: (length) => length >= longest,
    sawLength: (length) => {
      longest = Math.max(longest, length)
    },
    sawSamePage: () => {
      pageWorks = false
    },
    pageWorks: () => pageWorks
  }
}
