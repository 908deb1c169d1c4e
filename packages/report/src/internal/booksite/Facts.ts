/** The facts that pages of the books are made of. Times are Unix ms, amounts exact decimal text, and texts may be strangers'. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import type * as Report from "@tallystick/reconcile/Report"
import type * as DateTime from "effect/DateTime"

/** A half-open interval of time. */
export interface Interval {
  readonly from: number
  readonly to: number
}

/** What all pages of a site have in common. */
export interface Look {
  /** Whose books these are, where somebody said so. */
  readonly title?: string | undefined
  /** The zone of days and times; default UTC. */
  readonly zone?: DateTime.TimeZone | undefined
  /** The currency of worths, where somebody said which it is. */
  readonly currency?: string | undefined
}

/** How exactly a sum of worths is known: `mixed` where it adds lower and upper bounds. */
export type Bound = "exact" | "at least" | "at most" | "mixed"

export interface Difference {
  readonly asset: string
  readonly missing: string
  readonly excess: string
  readonly bound: Exclude<Bound, "mixed">
}

/** Where an item stands that waits. */
export type Waiting = "open" | "pending" | "undetermined"

/** The code of an outcome, or `gone` where no run tells of the entry any more. */
export type Code = Outcome.Code | "gone"

export interface Entry {
  readonly side: "deposit" | "transfer"
  readonly id: string
  readonly asset: string
  readonly amount: string
  readonly account?: string | undefined
}

/** An item in a table. */
export interface Item {
  readonly id: string
  readonly state: Waiting
  readonly code: Code
  /** The time of its earliest entry. */
  readonly at: number
  readonly deposits: number
  readonly transfers: number
  /** Its earliest entry. */
  readonly first: Entry
  readonly difference?: Difference | undefined
  /** What the size of its difference is worth; absent where that is not known. */
  readonly worth?: string | undefined
  readonly decided: "none" | "noted" | "proposed" | "decided"
}

/** Time that was judged last by one run of the books. */
export interface Judged extends Interval {
  /** The number of the execution that brought the books forward by it. */
  readonly execution: number
  readonly madeAt: number
  readonly by: string
  readonly run: string
}

/** Time behind a day in which counterparts of its entries may lie, and that was not read when the day was judged. */
export interface Unsettled extends Interval {
  readonly execution: number
  readonly operation: "deposits" | "transfers"
}

/** A day, and what the books say of it. */
export interface Day extends Interval {
  /** `2026-11-17`. */
  readonly day: string
  /** By time; what is in none of these no run of the books judged. */
  readonly judged: ReadonlyArray<Judged>
  /** Time of it that was not read when it was judged. */
  readonly unread: ReadonlyArray<Interval>
  readonly unsettled: ReadonlyArray<Unsettled>
  /** Time of it of which something else may be said by now: it is to be judged again. */
  readonly due: ReadonlyArray<Interval>
  /** Records that could not be read, which the runs met that judged the day: each of them may belong to it. */
  readonly unreadable: ReadonlyArray<WithoutEntries>
  /** Items that have an entry of this day. */
  readonly items: ReadonlyArray<Item>
}

/** Something that the books do not know: a record that could not be read, or time that was not. */
export interface WithoutEntries {
  readonly id: string
  readonly kind: "record" | "time"
  readonly text: string
}

/** Items of an age, counted and added up. */
export interface Aged {
  /** The ages begin here, ms. */
  readonly from: number
  /** They end before this one, ms; absent where they have no end. */
  readonly before?: number | undefined
  readonly items: number
  readonly worth: string
  readonly worthBound: Bound
  /** So many of them have no worth. */
  readonly unpriced: number
}

export interface Ageing {
  /** Ages count up to here. */
  readonly at: number
  /** The youngest first. */
  readonly ages: ReadonlyArray<Aged>
  /** All of them. */
  readonly total: Omit<Aged, "before" | "from">
}

/** A period that was closed. */
export interface Period extends Interval {
  /** The number of its row in the ledger. */
  readonly number: number
  readonly closedAt: number
  readonly by: string
  /** Entries that it carried openly. */
  readonly carried: number
  /** How it stands: `stands`, or what became of it. */
  readonly standing: string
  readonly isBroken: boolean
}

export interface Index {
  readonly archive: string
  /** The end of the ledger. */
  readonly ledger: { readonly number: number; readonly id: string }
  /** The last reading of the exchange that the archive keeps; absent where there is none. */
  readonly readAt?: number | undefined
  /** What brought the books forward last; absent as long as nothing did. */
  readonly last?: Judged | undefined
  readonly days: ReadonlyArray<Day>
  /** The items that are open, and those that are not decidable. */
  readonly open: Ageing
  readonly undetermined: Ageing
  /** So many items may still settle by themselves. */
  readonly pending: number
  /** When the prices of the worths were given; absent where the books have none. */
  readonly pricedAt?: number | undefined
  /** The assets of open items that have no price. */
  readonly withoutPrice: ReadonlyArray<string>
  /** The open items of most worth, or the oldest where nothing has a price. */
  readonly most: ReadonlyArray<Item>
  readonly withoutEntries: ReadonlyArray<WithoutEntries>
  readonly books?: Report.Books | undefined
  readonly periods: ReadonlyArray<Period>
}

/** An execution, and when it was made, where the ledger tells it. */
export interface Made {
  readonly execution: number
  readonly at?: number | undefined
}

/** Where an entry stands in the books. */
export type State = Waiting | "matched" | "decided" | "out"

/** What an execution made of an entry. */
export interface Change extends Entry {
  readonly made: Made
  readonly state: State
  readonly code: Code
}

/** A decision in words, and when it was made. */
export interface Decision {
  readonly at: number
  readonly text: string
}

/** An item with all that is known of it. */
export interface Story {
  readonly id: string
  /** Where it stands now. */
  readonly state: State
  readonly code: Code
  /** The item in which its first entry waits now, where that is another one. */
  readonly within?: string | undefined
  /** Other items in which entries wait now that once waited with its first entry. */
  readonly others: ReadonlyArray<string>
  /** What it came to stand so by. */
  readonly by: Made
  /** What it waited after for the first time. */
  readonly since: Made
  /** The day of its earliest entry. */
  readonly day: string
  readonly at: number
  /** The outcome that it stands in, as the books have it; absent where that is not kept. */
  readonly outcome?: Outcome.Outcome | undefined
  readonly difference?: Difference | undefined
  readonly worth?: string | undefined
  readonly entries: ReadonlyArray<Entry & { readonly at: number }>
  /** What became of its first entries, so many of them as are told. */
  readonly history: ReadonlyArray<Change>
  /** So many more entries have a history of their own. */
  readonly untold: number
  readonly decisions: ReadonlyArray<Decision>
}
