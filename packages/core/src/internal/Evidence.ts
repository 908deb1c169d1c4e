/**
 * What the responses of one operation have shown so far about how long a response can be. It only grows, and every
 * conclusion drawn from it claims less when it is young.
 */

export interface Evidence {
  /** A response of this many records may have been cut off. Shorter than one already seen means: not cut off. */
  readonly mayBeCut: (length: number) => boolean
  /** The last resort, where an interval cannot be split: shorter than the contract's default page, and no cap seen. */
  readonly contractHolds: (length: number) => boolean
  readonly sawLength: (length: number) => void
  /** A response of this length was cut off although the contract says otherwise. */
  readonly sawCut: (length: number) => void
  /** Two pages in a row were the same: the parameter `page` does nothing. */
  readonly sawSamePage: () => void
  readonly pageWorks: () => boolean
}

export const make = (contractDefault: number): Evidence => {
  let longest = 0
  let cap = Number.POSITIVE_INFINITY
  let pageWorks = true
  return {
    mayBeCut: (length) => length >= longest,
    contractHolds: (length) => length < contractDefault && length < cap,
    sawLength: (length) => {
      longest = Math.max(longest, length)
    },
    sawCut: (length) => {
      cap = Math.min(cap, length)
    },
    sawSamePage: () => {
      pageWorks = false
    },
    pageWorks: () => pageWorks
  }
}
