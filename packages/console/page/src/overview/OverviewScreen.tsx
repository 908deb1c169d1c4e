/** How things stand: what was read, what was reconciled last, and what waits for a second person. */
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Client } from "../asking/Client.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { Ageing } from "./Ageing.tsx"

const ask = (client: Client) =>
  Effect.all({
    status: client.status.status(),
    runs: client.runs.runs({ query: { limit: 1 } }),
    closes: client.periods.closes(),
    proposed: client.decisions.decisions({ query: { standing: "proposed", limit: 1 } })
  }, { concurrency: "unbounded" })

type Facts = Effect.Success<ReturnType<typeof ask>>

const Figures = ({ closes: { closes }, proposed, runs, status }: Facts) => {
  const { times } = useDesk()
  const moment = (ms: number | null) => ms === null ? "never" : times.bound(ms)
  const [last] = runs.runs
  const standing = closes.findLast(({ reopened }) => reopened === undefined)
  return (
    <>
      <dl class="stats figures">
        <div class="stat">
          <dt>Closed through</dt>
          <dd class="value">{standing === undefined ? "nothing yet" : standing.close.through}</dd>
          {standing === undefined ? null : <dd class="about">in {standing.close.zone}</dd>}
        </div>
        <div class="stat">
          <dt>Read up to</dt>
          <dd class="value">{moment(status.coveredTo)}</dd>
          <dd class="about">last reading: {moment(status.lastReading)}</dd>
        </div>
        <div class="stat">
          <dt>Last run</dt>
          <dd class="value">
            {last === undefined ? "none" : "damaged" in last.run ? "damaged" : last.run.clean ? "agrees" : "has breaks"}
          </dd>
          <dd class="about">
            {last === undefined || "damaged" in last.run
              ? `${Text.counted(runs.count, "run")} recorded`
              : `${moment(last.run.recordedAt)}; ${Text.counted(runs.count, "run")} recorded`}
          </dd>
        </div>
        <div class="stat">
          <dt>Wait for approval</dt>
          <dd class="value">{Text.count(proposed.count)}</dd>
          <dd class="about">{Text.counted(proposed.count, "decision")}</dd>
        </div>
      </dl>
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
      <Ageing />
    </>
  )
}
