/**
 * What the responses of one operation have shown so far of how the service answers. It only grows, and what one scan
 * learnt serves the next ones.
 */

/** How one list was answered. */
export interface Listing {
  /** Records on all its pages. */
  readonly listed: number
  readonly pages: number
  /** Records on the longest page. */
  readonly length: number
  /** Pages that showed a record of the part itself: a page of neighbours only has no border that anybody compares. */
  readonly within: number
}

export const NOTHING: Listing = { listed: 0, pages: 0, length: 0, within: 0 }

/** The longest of several lists of one part of time. */
export const longest = (one: Listing, other: Listing): Listing => ({
  listed: Math.max(one.listed, other.listed),
  pages: Math.max(one.pages, other.pages),
  length: Math.max(one.length, other.length),
  within: Math.max(one.within, other.within)
})

export interface Evidence {
  /** A response of this many records may have been cut off. One that is shorter than another already seen was not. */
  readonly mayBeCut: (length: number) => boolean
  readonly sawLength: (length: number) => void
  /** Two pages in a row were the same, and the first one still was: the parameter `page` does nothing. */
  readonly sawSamePage: () => void
  readonly pageWorks: () => boolean
  /** A response to `[start, end]` showed records from `earliest` to `latest`, Unix ms. */
  readonly sawRange: (start: number, end: number, earliest: number, latest: number) => void
  /** The longest range in which records were shown so near to either end that it was answered from end to end, ms. */
  readonly reach: () => number
  /** Whether a range of this length is answered from end to end, but for a small part of it that none was needed to show. */
  readonly answers: (length: number) => boolean
  /** A list of so many records ended by itself. */
  readonly sawList: (listed: number) => void
  /** Whether every list like this one may end at its number of records: none was longer. */
  readonly mayEnd: (listing: Listing) => boolean
  /** A list was read twice, by different cuts, and was the same. */
  readonly sawAgreement: (listing: Listing) => void
  /** Whether a list is as long as any that was read twice, or has more pages: then nothing vouches for its end. */
  readonly isBeyond: (listing: Listing) => boolean
  /** Two readings of settled time differed: from now on only agreement proves. */
  readonly sawDisagreement: () => void
  readonly isTrusted: () => boolean
  /** A record stood only once in a list that was proven. */
  readonly sawSingle: () => void
  /** Whether equal records in one response are several records, and not a service that shows every record twice. */
  readonly countsRecords: () => boolean
  /** Counts a list that was believed; true for every twentieth since a list was last read twice. */
  readonly isDue: () => boolean
}

/** One list in so many is read a second time. */
const EVERY = 20

export const make = (): Evidence => {
  let longestResponse = 0
  let longestList = 0
  let pageWorks = true
  let backwards = 0
  let forwards = 0
  let agreed = NOTHING
  let isTrusted = true
  let countsRecords = false
  let believed = 0
  return {
    mayBeCut: (length) => length >= longestResponse,
    sawLength: (length) => {
      longestResponse = Math.max(longestResponse, length)
      longestList = Math.max(longestList, length)
    },
    sawSamePage: () => {
      pageWorks = false
    },
    pageWorks: () => pageWorks,
    sawRange: (start, end, earliest, latest) => {
      backwards = Math.max(backwards, end - earliest)
      forwards = Math.max(forwards, latest - start)
    },
    reach: () => Math.min(backwards, forwards),
    answers: (length) => length * (31 / 32) <= Math.min(backwards, forwards),
    sawList: (listed) => {
      longestList = Math.max(longestList, listed)
    },
    mayEnd: ({ listed, pages }) => listed >= (pages > 1 ? longestList : longestResponse),
    sawAgreement: (listing) => {
      agreed = longest(agreed, listing)
      believed = 0
    },
    // Never to a single record: a lone one is no cut list.
    isBeyond: ({ listed, pages }) => {
      if (pages > Math.max(1, agreed.pages)) return true
      // A single page is not cut off below the length of another response, once any list was the same twice.
      const believed = pages > 1 || agreed.listed < 2 ? agreed.listed : Math.max(agreed.listed, longestResponse)
      return listed > 1 && listed >= believed
    },
    sawDisagreement: () => {
      isTrusted = false
    },
    isTrusted: () => isTrusted,
    sawSingle: () => {
      countsRecords = true
    },
    countsRecords: () => countsRecords,
    isDue: () => {
      believed++
      return believed >= EVERY
    }
  }
}
