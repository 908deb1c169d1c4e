/** Fault schedules that a seed determines: a bad network, an odd service and a wrong clock, in any combination. */
import type * as Faults from "@tallystick/sandbox/Faults"
import type { WireFault } from "@tallystick/sandbox/WireFault"

type Next = () => number

const below = (next: Next, end: number): number => Math.floor(next() * end)
const chance = (next: Next, probability: number): boolean => next() < probability
const some = <A>(next: Next, probability: number, make: () => A): ReadonlyArray<A> =>
  chance(next, probability) ? [make()] : []
const oneOf = <A>(next: Next, first: A, ...others: ReadonlyArray<A>): A =>
  others[below(next, others.length + 1)] ?? first

/** Seldom enough that retries get through, often enough that a scan meets several. */
const share = (next: Next): number => 0.01 + 0.09 * next()

/** The same, so often that hardly a call goes without. */
const often = (fault: WireFault): WireFault => ({ ...fault, share: 0.05 + 2 * (fault.share ?? 0.02) })

const when = (next: Next) => oneOf(next, "before" as const, "after" as const)

/** Every kind of `WireFault`, each in half of the schedules. */
const kinds: Readonly<Record<WireFault["kind"], (next: Next) => WireFault>> = {
  error: (next) => ({
    kind: "error",
    share: share(next),
    status: oneOf(next, 500 as const, 502 as const, 503 as const, 504 as const),
    effect: when(next),
    html: chance(next, 0.5)
  }),
  reset: (next) => ({
    kind: "reset",
    share: share(next),
    at: oneOf(next, "request" as const, "answer" as const, "body" as const, "end" as const)
  }),
  truncate: (next) => ({ kind: "truncate", share: share(next) }),
  firewall: (next) => ({
    kind: "firewall",
    share: share(next) / 2,
    status: oneOf(next, 403 as const, 200 as const),
    effect: when(next)
  }),
  drip: (next) => ({ kind: "drip", share: share(next), bytes: 1 + below(next, 200), every: below(next, 200) }),
  endless: (next) => ({
    kind: "endless",
    share: share(next) / 2,
    filler: oneOf(next, "whitespace" as const, "records" as const),
    every: oneOf(next, 0, 500)
  }),
  redirect: (next) => ({
    kind: "redirect",
    share: share(next) / 4,
    status: oneOf(next, 301 as const, 302 as const, 303 as const, 307 as const, 308 as const)
  }),
  throttle: (next) => ({
    kind: "throttle",
    share: share(next),
    ...(chance(next, 0.5) ? { retryAfter: 1 + below(next, 5) } : {})
  }),
  ban: (next) => ({
    kind: "ban",
    requests: [1 + below(next, 40)],
    seconds: 1 + below(next, 120),
    untold: chance(next, 0.3)
  })
}

/** The ways in which a list may be odd without a request failing. */
const lists = (next: Next): Faults.Faults => ({
  order: oneOf(next, "oldest-first" as const, "newest-first" as const, "shuffled" as const),
  looseTies: chance(next, 0.3),
  ends: oneOf(next, "inclusive" as const, "exclusive" as const, "start-exclusive" as const, "end-exclusive" as const),
  ...(chance(next, 0.2) ? { pageCap: 2 + below(next, 3) } : {}),
  ignorePage: chance(next, 0.1),
  // A first page cut at an unusual length, behind which nothing is shown, looks like a whole list: that is assumed away.
  ...(chance(next, 0.1) ? { lastPage: 2 + below(next, 4) } : {}),
  // Counted from when the exchange was made: a scan that begins later than 2 s after that would find records arriving that are
  // older than `settle`, which no service does.
  ...(chance(next, 0.3) ? { arrivals: { share: 0.3, within: 3000, overRequests: 20 } } : {}),
  ...(chance(next, 0.3) ? { lateVisible: { share: 0.3, delay: 3000 } } : {}),
  ...(chance(next, 0.2) ? { totalCount: oneOf(next, "right" as const, "too-small" as const) } : {})
})

const records = (next: Next): Faults.Faults => ({
  newStatus: next() * 0.2,
  newKeys: next() * 0.5,
  missingKeys: next() * 0.5,
  spellings: [
    ...some(next, 0.3, () => "netWork" as const),
    ...some(next, 0.3, () => "numeric-confirmations" as const),
    ...some(next, 0.3, () => oneOf(next, "long-amounts" as const, "amount-64" as const)),
    ...some(next, 0.3, () => "creatTime" as const),
    ...some(next, 0.3, () => "apikey" as const),
    ...some(next, 0.3, () => "listed-permissions" as const)
  ]
})

/** Milliseconds by which the service's clock may be off, either way. */
const HOUR = 3_600_000

/** Off by up to an hour, and drifting by up to 1 %. */
const clock = (next: Next): Faults.Faults => ({
  clock: {
    offset: Math.round((2 * next() - 1) * HOUR),
    drift: Math.round((2 * next() - 1) * HOUR * 0.01)
  }
})

const latency = (next: Next): Faults.Faults =>
  chance(next, 0.5) ? { latency: [[0, 5], [0.5, 50], [0.9, 400], [0.99, 3000], [1, 20_000]] } : {}

/** Everything that lies between request and answer; each entry of its own share. */
export const wire = (next: Next): ReadonlyArray<WireFault> =>
  Object.values(kinds).flatMap((make) => some(next, 0.5, () => make(next)))

/** The first question for the time is lost, so that a wrong clock is trusted until a request is refused. */
const clockUnheard = (next: Next): ReadonlyArray<WireFault> =>
  some(next, 0.3, () => ({ kind: "reset", at: "answer", operations: ["serverTime"], requests: [1] }))

/** Faults of every sort. */
export const make = (next: Next, seed: number): Faults.Faults => ({
  seed,
  wire: [...clockUnheard(next), ...wire(next)],
  ...latency(next),
  ...(chance(next, 0.7) ? clock(next) : {}),
  ...(chance(next, 0.5) ? lists(next) : {}),
  ...(chance(next, 0.5) ? records(next) : {})
})

/** Faults of every sort, so many that hardly a call goes without. */
export const severe = (next: Next, seed: number): Faults.Faults => {
  const faults = make(next, seed)
  return { ...faults, wire: (faults.wire ?? []).map(often) }
}
