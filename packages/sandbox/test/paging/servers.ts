/** Kinds of servers, each with a habit or an accident of its own. */
import type * as Faults from "@tallystick/sandbox/Faults"

/** How long after its own time a record may appear, ms. */
export const SETTLE = 5

export interface Case {
  readonly faults: (next: () => number) => Faults.Faults
  readonly twins?: number
  /** Every page is full: the count is a multiple of the page's length. */
  readonly full?: boolean
  /** Deposits older than this are gone, ms. */
  readonly history?: number
  /** The least share of settled time that must be proven complete, so that giving up everywhere is no way to pass. */
  readonly proven: number
  /** Milliseconds in what is one millisecond for the others: for a server that thinks in seconds or minutes. */
  readonly unit?: number
  /** Share of records that fall into one moment. */
  readonly burst?: number
  /** It has no habit that a second reading could find: whatever it is asked, its lists must stay believed. */
  readonly isHonest?: true
}

const cap = (next: () => number) => 2 + Math.floor(next() * 3)

/** A share of the list requests is answered 503. */
const failing = (share: number): NonNullable<Faults.Faults["wire"]> => [
  { kind: "error", operations: ["universalTransfers", "subAccountDeposits"], share }
]

export const servers: Readonly<Record<string, Case>> = {
  "an ordinary server": { faults: () => ({}), isHonest: true, proven: 0.98 },
  "newest first": { faults: () => ({ order: "newest-first" }), isHonest: true, proven: 0.98 },
  "shuffled per request": { faults: () => ({ order: "shuffled" }), proven: 0.8 },
  "ties in any order": { faults: () => ({ looseTies: true }), isHonest: true, proven: 0.9 },
  "arrivals while paging": {
    faults: (next) => ({
      order: next() < 0.5 ? "newest-first" : "oldest-first",
      arrivals: { share: 0.5, within: SETTLE, overRequests: 8 }
    }),
    isHonest: true,
    proven: 0.9
  },
  "a capped limit": { faults: (next) => ({ pageCap: cap(next) }), isHonest: true, proven: 0.9 },
  "page ignored": { faults: () => ({ ignorePage: true }), proven: 0.8 },
  "a capped limit and page ignored": {
    faults: (next) => ({ pageCap: cap(next), ignorePage: true }),
    proven: 0.5
  },
  "nothing beyond some page": { faults: (next) => ({ lastPage: 1 + Math.floor(next() * 3) }), proven: 0.9 },
  "nothing beyond some page, shuffled": {
    faults: (next) => ({ lastPage: 1 + Math.floor(next() * 3), order: "shuffled" }),
    proven: 0.5
  },
  "capped, ignored and shuffled": {
    faults: (next) => ({ pageCap: cap(next), ignorePage: true, order: "shuffled" }),
    proven: 0.5
  },
  "the last page exactly full": { faults: () => ({}), full: true, isHonest: true, proven: 0.98 },
  "totalCount right": { faults: () => ({ totalCount: "right" }), isHonest: true, proven: 0.98 },
  "totalCount too small": { faults: () => ({ totalCount: "too-small" }), isHonest: true, proven: 0.98 },
  "totalCount too large": { faults: () => ({ totalCount: "too-large" }), isHonest: true, proven: 0 },
  "exclusive ends": { faults: () => ({ ends: "exclusive" }), isHonest: true, proven: 0.98 },
  "an exclusive start": { faults: () => ({ ends: "start-exclusive" }), isHonest: true, proven: 0.98 },
  "twins on a page and across pages": { faults: () => ({ looseTies: true }), twins: 0.5, proven: 0.7 },
  "a record that becomes visible late": {
    faults: (next) => ({
      order: next() < 0.5 ? "newest-first" : "oldest-first",
      lateVisible: { share: 0.3, delay: SETTLE }
    }),
    isHonest: true,
    proven: 0.9
  },
  "a server that forgets": { faults: () => ({}), history: 50, isHonest: true, proven: 0.4 },
  "a page that fails": { faults: () => ({ wire: failing(0.05) }), isHonest: true, proven: 0.2 },
  "a record is skipped between two pages": {
    faults: (next) => ({ skipped: 1, order: next() < 0.5 ? "newest-first" : "oldest-first" }),
    proven: 0.5
  },
  "only the newest part of a longer range": {
    faults: (next) => ({ span: { length: 12 + Math.floor(next() * 7) } }),
    proven: 0.3
  },
  "only the oldest part of a longer range": {
    faults: (next) => ({ span: { length: 12 + Math.floor(next() * 7), part: "oldest" } }),
    proven: 0.3
  },
  "only the newest records of a longer range": {
    faults: (next) => ({ order: "newest-first", listEnd: 2 + Math.floor(next() * 6) }),
    proven: 0.3
  },
  "a list that ends with a shorter last page": {
    faults: (next) => ({ listEnd: 6 + Math.floor(next() * 6) }),
    proven: 0.3
  },
  "a filter in whole seconds": {
    faults: () => ({ filterUnit: 1000 }),
    unit: 9973,
    isHonest: true,
    proven: 0.5
  },
  "a filter in whole minutes": {
    faults: () => ({ filterUnit: 60_000 }),
    unit: 60_000 * 7 + 13,
    proven: 0.5
  },
  "pages count from 0": { faults: () => ({ pagesFromZero: true }), proven: 0.3 },
  "pages count from 0, newest first": { faults: () => ({ pagesFromZero: true, order: "newest-first" }), proven: 0.3 },
  "a cap with offsets by the asked limit": {
    faults: (next) => ({ pageCap: cap(next), offsetByLimit: true }),
    proven: 0.3
  },
  "every record twice in one response": { faults: () => ({ doubled: true }), proven: 0 },
  "every record twice on capped pages": { faults: (next) => ({ doubled: true, pageCap: cap(next) }), proven: 0 },
  "the last page again and again": { faults: () => ({ repeatsLastPage: true }), isHonest: true, proven: 0.5 },
  "a cap, and arrivals that shift pages, in crowded moments": {
    faults: (next) => ({
      pageCap: cap(next),
      order: "newest-first",
      arrivals: { share: 0.5, within: SETTLE, overRequests: 8 }
    }),
    burst: 0.5,
    isHonest: true,
    proven: 0.5
  },
  "crowded moments": { faults: () => ({}), burst: 0.5, isHonest: true, proven: 0.5 },
  "a list that ends, and crowded moments": {
    faults: (next) => ({ listEnd: 6 + Math.floor(next() * 6) }),
    burst: 0.5,
    proven: 0.1
  },
  "a skipped record, and page caps": {
    faults: (next) => ({ skipped: 1, pageCap: cap(next), order: "newest-first" }),
    proven: 0.3
  },
  "everything at once": {
    faults: (next) => ({
      order: "shuffled",
      looseTies: true,
      pageCap: cap(next),
      ignorePage: next() < 0.5,
      ends: "exclusive",
      wire: failing(0.02),
      arrivals: { share: 0.3, within: SETTLE, overRequests: 8 }
    }),
    twins: 0.2,
    proven: 0
  }
}
