/**
 * What the responses of one operation have shown so far of how the service answers. It only grows, and what one scan
 * learnt serves the next ones. A round begins from what earlier ones learnt, and checks long lists by itself.
 */
import type * as Learnt from "../../Learnt.ts"

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

export interface PageLengths {
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
  /**
   * Whether a list of so many records, which needs no second reading, gets one all the same: the first of a round, and of those
   * with records the first and every twentieth since one was last read twice. Where lists are not believed: whether it is read
   * in the ordinary way as well, to see whether they could be.
   */
  readonly isDue: (records: number) => boolean
  /** Begins a round from what earlier ones learnt; `now`, server time, Unix ms. */
  readonly begin: (kept: Learnt.Answers | undefined, now: number, pageLength: number) => void
  /** What the next round may begin from; none before a list with records was read twice. */
  readonly learnt: (now: number, pageLength: number) => Learnt.Answers | undefined
}

/** One list in so many is read a second time. */
const EVERY = 20

/** What was learnt is forgotten when no list with records was read twice for so long, ms. That lists are not believed stays. */
const LASTING = 30 * 86_400_000

/** Lists of one round that are read in the ordinary way as well where lists are not believed, and how many make them so again. */
const TRIALS = 3
const ENOUGH = 9

export const make = (): PageLengths => {
  let longestResponse = 0
  let longestList = 0
  let pageWorks = true
  let backwards = 0
  let forwards = 0
  let agreed = NOTHING
  /** Of the responses since the round began. */
  let longestOfRound = 0
  let isTrusted = true
  /** Lists in a row that were the same although they are not believed. */
  let agreements = 0
  let trials = 0
  let countsRecords = false
  let believed = 0
  let isFirstDue = false
  /** When the last list with records was read twice, server time; `now` until somebody asks. */
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
    // Never to a single record: a lone one is no cut list.
    isBeyond: ({ listed, pages }) => {
      if (pages > Math.max(1, agreed.pages)) return true
      // A single page is not cut off below the length of another response, once any list was the same twice.
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
