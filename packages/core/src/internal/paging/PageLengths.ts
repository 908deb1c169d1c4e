/**
 * Gathers how the service has answered one operation so far. It only grows, and each scan uses the findings of earlier scans. A
 * round begins from the findings of earlier rounds, and checks long lists by itself.
 */
import type * as Learnt from "../../Learnt.ts"

/** How one list was answered. */
export interface Listing {
  /** The number of records on all its pages. */
  readonly listed: number
  readonly pages: number
  /** The number of records on the longest page. */
  readonly length: number
  /**
   * The number of pages that showed a record of the part itself. A page that holds only neighbours has no border that is
   * compared.
   */
  readonly within: number
}

export const NOTHING: Listing = { listed: 0, pages: 0, length: 0, within: 0 }

/** Returns a list that is as long as the longest of several lists of one part of time. */
export const longest = (one: Listing, other: Listing): Listing => ({
  listed: Math.max(one.listed, other.listed),
  pages: Math.max(one.pages, other.pages),
  length: Math.max(one.length, other.length),
  within: Math.max(one.within, other.within)
})

export interface PageLengths {
  /** Whether a response of this many records may have been cut off. One that is shorter than another response was not. */
  readonly mayBeCut: (length: number) => boolean
  readonly sawLength: (length: number) => void
  /** Notes that two pages in a row were the same, and the first one was still the same: the parameter `page` does nothing. */
  readonly sawSamePage: () => void
  readonly pageWorks: () => boolean
  /** Notes that a response to `[start, end]` showed records from `earliest` to `latest`, Unix ms. */
  readonly sawRange: (start: number, end: number, earliest: number, latest: number) => void
  /** Returns the longest range that is known to be answered from end to end, ms: records were shown near both of its ends. */
  readonly reach: () => number
  /** Whether a range of this length is known to be answered from end to end, except for a small part near its ends. */
  readonly answers: (length: number) => boolean
  /** Notes that a list of so many records ended by itself. */
  readonly sawList: (listed: number) => void
  /** Whether every list may end at the number of records of this one, because none was longer. */
  readonly mayEnd: (listing: Listing) => boolean
  /** Notes that a list was read twice, by different cuts, and was the same. */
  readonly sawAgreement: (listing: Listing) => void
  /** Whether a list is as long as any list that was read twice, or has more pages: nothing vouches for its end then. */
  readonly isBeyond: (listing: Listing) => boolean
  /** Notes that two readings of settled time differed: from now on only agreement proves anything. */
  readonly sawDisagreement: () => void
  readonly isTrusted: () => boolean
  /** Notes that a record stood only once in a list that was proven. */
  readonly sawSingle: () => void
  /**
   * Whether equal records in one response are several records. A service that shows every record twice has not been excluded
   * otherwise.
   */
  readonly countsRecords: () => boolean
  /**
   * Whether a list of so many records is read twice although it needs no second reading. That is due for the first list of a
   * round, for the first one with records, and for every twentieth one with records after the last that was read twice. Where
   * lists are not believed, it says whether the list is read in the ordinary way as well, to see whether lists can be believed
   * again.
   */
  readonly isDue: (records: number) => boolean
  /** Begins a round from the findings of earlier ones. `now` is server time, Unix ms. */
  readonly begin: (kept: Learnt.Answers | undefined, now: number, pageLength: number) => void
  /** Returns the findings from which the next round may begin; undefined before a list with records was read twice. */
  readonly learnt: (now: number, pageLength: number) => Learnt.Answers | undefined
}

/** One list in so many is read a second time. */
const EVERY = 20

/**
 * The findings are forgotten when no list with records was read twice for so long, ms. The finding that lists are not believed
 * stays.
 */
const LASTING = 30 * 86_400_000

/**
 * Where lists are not believed, so many lists of a round are read in the ordinary way as well, and so many agreements in a row
 * make lists believed again.
 */
const TRIALS = 3
const ENOUGH = 9

export const make = (): PageLengths => {
  let longestResponse = 0
  let longestList = 0
  let pageWorks = true
  let backwards = 0
  let forwards = 0
  let agreed = NOTHING
  /** The length of the longest response since the round began. */
  let longestOfRound = 0
  let isTrusted = true
  /** Lists in a row that were the same although they are not believed. */
  let agreements = 0
  let trials = 0
  let countsRecords = false
  let believed = 0
  let isFirstDue = false
  /** When the last list with records was read twice, in server time; `now` until the next call that tells the server time. */
  let at: number | "now" | undefined

  const isBelieved = (): boolean => isTrusted || agreements >= ENOUGH

  const learnt: PageLengths["learnt"] = (now, pageLength) =>
    at === undefined ? undefined : {
      believed: isBelieved(),
      learntAt: at === "now" ? now : at,
      agreements: isBelieved() ? 0 : agreements,
      pageLength,
      backwards,
      forwards,
      longestResponse,
      longestList
    }

  return {
    mayBeCut: (length) => length >= longestResponse,
    sawLength: (length) => {
      longestOfRound = Math.max(longestOfRound, length)
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
      isFirstDue = false
      if (listing.listed > 0) believed = 0
      if (!isTrusted && ++agreements < ENOUGH) return
      if (listing.listed > 0) at = "now"
    },
    // A response is never cut off to a single record, so a lone record is no cut list.
    isBeyond: ({ listed, pages }) => {
      if (pages > Math.max(1, agreed.pages)) return true
      // Once any list was the same twice, a single page is taken not to be cut off below the length of another response.
      const believed = pages > 1 || agreed.listed < 2 ? agreed.listed : Math.max(agreed.listed, longestOfRound)
      return listed > 1 && listed >= believed
    },
    sawDisagreement: () => {
      isTrusted = false
      agreements = 0
      at = "now"
    },
    isTrusted: () => isTrusted,
    sawSingle: () => {
      countsRecords = true
    },
    countsRecords: () => countsRecords,
    isDue: (records) => {
      if (!isTrusted) return records > 1 && trials > 0 && trials-- > 0
      if (records === 0) return isFirstDue
      believed++
      return believed >= EVERY
    },
    learnt,
    begin: (kept, now, pageLength) => {
      at = kept?.learntAt ?? learnt(now, pageLength)?.learntAt
      isTrusted = isBelieved()
      if (isTrusted) agreements = 0
      agreed = NOTHING
      longestOfRound = 0
      countsRecords = false
      believed = EVERY
      isFirstDue = true
      trials = TRIALS
      if (kept === undefined) return
      if (!kept.believed) {
        isTrusted = false
        agreements = kept.agreements
      } else if (kept.pageLength !== pageLength || kept.learntAt < now - LASTING) return
      backwards = Math.max(backwards, kept.backwards)
      forwards = Math.max(forwards, kept.forwards)
      longestResponse = Math.max(longestResponse, kept.longestResponse)
      longestList = Math.max(longestList, kept.longestList)
    }
  }
}
