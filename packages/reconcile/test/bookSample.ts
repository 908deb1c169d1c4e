/** What a report may say of the books; an asset and an account have names that a stranger chose. */
import type * as Report from "@tallystick/reconcile/Report"

export const EVIL = "<b>|*x*\u202e"

const EVIL_ACCOUNT = `${EVIL}-account`

const ID = "5f".repeat(32)

const none = { count: 0, sum: "0" }

const forward = {
  broughtForward: none,
  new: none,
  reopened: none,
  restated: none,
  moved: none,
  matched: none,
  decided: none,
  setOut: none,
  carriedForward: none
}

/** The last reading, Unix ms, up to which the first item is 2 days old. */
export const AS_OF = Date.UTC(2026, 10, 21)

export const books: Report.Books = {
  execution: { number: 12, id: ID },
  rollForward: [
    {
      ...forward,
      side: "deposit",
      asset: "USDT",
      state: "open",
      broughtForward: { count: 1200, sum: "1500.5" },
      new: { count: 2, sum: "3" },
      restated: { count: 0, sum: "-0.5" },
      matched: { count: 1, sum: "1.25" },
      setOut: { count: 1, sum: "10" },
      carriedForward: { count: 1200, sum: "1491.75" }
    },
    {
      ...forward,
      side: "transfer",
      asset: "USDT",
      state: "open",
      broughtForward: { count: 3, sum: "7" },
      carriedForward: { count: 3, sum: "7" }
    },
    {
      ...forward,
      side: "deposit",
      asset: EVIL,
      state: "pending",
      broughtForward: { count: 1, sum: "4" },
      carriedForward: { count: 1, sum: "4" }
    }
  ],
  new: 2,
  closed: [{ state: "matched", code: "exact", count: 1 }, { state: "out", code: "gone", count: 1 }],
  carried: {
    entries: 1202,
    items: 1100,
    oldest: Array.from({ length: 20 }, (_, index) => ({
      id: `i${String(index).padStart(16, "0")}`,
      state: index === 1 ? "pending" as const : "open" as const,
      code: index === 1 ? "in-flight" : "missing-transfer",
      at: AS_OF - 2 * 86_400_000 + index,
      since: 3,
      count: index === 0 ? 5 : 1,
      entries: [{
        side: "deposit" as const,
        id: index === 0 ? "sub00001-4711" : `d${index}`,
        asset: "USDT",
        amount: "1.5",
        account: index === 0 ? "sub00001" : EVIL_ACCOUNT
      }]
    }))
  }
}

const zero = {
  broughtForward: "0",
  revaluation: "0",
  new: "0",
  reopened: "0",
  restated: "0",
  moved: "0",
  matched: "0",
  decided: "0",
  setOut: "0",
  carriedForward: "0"
}

const deposits = {
  ...zero,
  side: "deposit" as const,
  state: "open" as const,
  broughtForward: "1500.5",
  revaluation: "-750.25",
  new: "1.5",
  restated: "-0.25",
  matched: "0.625",
  setOut: "5",
  carriedForward: "745.875"
}

const transfers = {
  ...zero,
  side: "transfer" as const,
  state: "open" as const,
  broughtForward: "7",
  revaluation: "-3.5",
  carriedForward: "3.5"
}

const prices = { asset: "USDT", price: "0.5", priceBefore: "1" }

/** The same books with a price of USDT, and none of the other asset. */
export const valued: Report.Books = {
  ...books,
  worth: {
    currency: "USD",
    lines: [{ ...deposits, ...prices }, { ...transfers, ...prices }],
    totals: [deposits, transfers],
    lacking: [EVIL]
  }
}
