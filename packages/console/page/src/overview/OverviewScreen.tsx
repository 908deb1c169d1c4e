/** How things stand: what was read, what was reconciled last, and what waits for a second person. */
import * as Text from "@tallystick/report/text/Text"
import * as Times from "@tallystick/report/text/Times"
import * as Effect from "effect/Effect"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import { type Stat, Stats } from "../../../../report/page/src/components/Stats.tsx"
import type { Client } from "../asking/Client.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { Ageing } from "./Ageing.tsx"
import { BreaksByDay } from "./BreaksByDay.tsx"
import { useNow } from "./useNow.ts"

/** By so much the console's clock is ahead of this machine's, ms. */
const ahead = (now: number): number => now - Date.now()

const ask = (client: Client) =>
  Effect.all({
    status: Effect.map(client.status.status(), (status) => ({ ...status, ahead: ahead(status.now) })),
    runs: client.runs.runs({ query: { limit: 1 } }),
    // The run of an execution may be damaged while all else can be told.
    last: client.books.lastExecution().pipe(
      Effect.catchTag("ArchiveFailed", ({ message }) => Effect.succeed({ fault: message }))
    ),
    closes: client.periods.closes(),
    proposed: client.decisions.decisions({ query: { standing: "proposed", limit: 1 } })
  }, { concurrency: "unbounded" })

type Facts = Effect.Success<ReturnType<typeof ask>>

type Moments = Times.Times

const MINUTE = 60_000

/** Less time is left than this, ms: the next sync should not wait. */
const SOON = 1440 * MINUTE

const closedStat = ({ closes: { closes } }: Facts): Stat => {
  const standing = closes.findLast(({ reopened }) => reopened === undefined)
  return standing === undefined
    ? { label: "Closed through", value: "nothing yet" }
    : { label: "Closed through", value: standing.close.through, about: `in ${standing.close.zone}` }
}

const moment = (ms: number | null, times: Moments) => ms === null ? "never" : times.bound(ms)

const readStat = ({ status: { coveredTo, lastReading } }: Facts, times: Moments): Stat => ({
  label: "Read up to",
  value: moment(coveredTo, times),
  about: `last reading: ${moment(lastReading, times)}`
})

const leftStat = ({ status: { ahead, forgetsAt } }: Facts, times: Moments, here: number): Stat => {
  const label = "Time left to read"
  if (forgetsAt === null) return { label, value: "unknown", about: "nothing was read from the exchange yet" }
  const left = forgetsAt - (here + ahead)
  return left < MINUTE
    ? { label, value: "none", tone: "bad", about: "the exchange forgets deposits that nobody read" }
    : {
      label,
      value: Times.duration(left - left % MINUTE),
      ...left < SOON ? { tone: "bad" } : {},
      about: `the exchange shows what is unread until ${times.bound(forgetsAt - forgetsAt % MINUTE)}`
    }
}

const runStat = ({ runs: { count, runs: [last] } }: Facts, times: Moments): Stat => {
  const recorded = `${Text.counted(count, "run")} recorded`
  if (last === undefined) return { label: "Last run", value: "none", about: recorded }
  return "damaged" in last.run
    ? { label: "Last run", value: "damaged", about: recorded }
    : {
      label: "Last run",
      value: last.run.clean ? "agrees" : "has breaks",
      about: `${moment(last.run.recordedAt, times)}; ${recorded}`
    }
}

const matchStat = ({ last }: Facts): Stat => {
  const label = "Matched"
  if ("fault" in last) return { label, value: "not readable", tone: "bad", about: Text.plain(last.fault) }
  const { execution } = last
  if (execution === null) return { label, value: "nothing yet", about: "no execution brought the books forward" }
  const { deposits, transfers } = execution.matchRate
  const both = { matched: deposits.matched + transfers.matched, of: deposits.of + transfers.of }
  return {
    label,
    value: Text.percent(both),
    about: `${Text.count(both.matched)} of ${
      Text.counted(both.of, "entry", "entries")
    }, by execution ${execution.number}`
  }
}

const Figures = (facts: Facts) => {
  const { times } = useDesk()
  const now = useNow()
  const { proposed, status } = facts
  const waits = { label: "Wait for approval", value: Text.count(proposed.count), about: "proposed decisions" }
  const stats = [
    closedStat(facts),
    readStat(facts, times),
    leftStat(facts, times, now),
    runStat(facts, times),
    matchStat(facts),
    waits
  ]
  return (
    <>
      <div class="glance">
        <Stats label="How things stand" stats={stats} />
      </div>
      {status.holder === null ? null : <p class="note" role="status">At work now: {Text.plain(status.holder)}.</p>}
      <p class="note">
        The ledger ends at row {Text.count(status.head.number)}, <ShortId id={status.head.id} of="last row" />.{" "}
        {proposed.fault === undefined ? "Each row was checked when this console first read it." : ""}
      </p>
      {proposed.fault === undefined ? null : <p class="trouble" role="alert">{Text.plain(proposed.fault)}</p>}
    </>
  )
}

export const OverviewScreen = () => {
  const { marks } = useDesk()
  const asked = useAsked("overview", marks, ask)
  return (
    <>
      <Shown asked={asked} what="The figures">{(facts) => <Figures {...facts} />}</Shown>
      <h2 class="unseen">Breaks</h2>
      <div class="overview">
        <Ageing />
        {asked.value === undefined ? null : <BreaksByDay ahead={asked.value.status.ahead} />}
      </div>
    </>
  )
}
