/** The outcomes of a run, page by page: however long it is, the page holds one of them. */
import * as Outcome from "@tallystick/reconcile/Outcome"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import { useState } from "preact/hooks"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Client } from "../asking/Client.ts"
import { useAsked } from "../asking/useAsked.ts"
import * as Address from "../frame/Address.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { ItemLink } from "../items/ItemLink.tsx"
import * as ItemWords from "../items/ItemWords.ts"

const PAGE = 50

const isCode = Schema.is(Outcome.Code)

/** What waits is an item, if the books were brought forward by the run. */
const WAITING: ReadonlySet<Outcome.Kind> = new Set(["discrepancy", "pending", "undetermined"])

interface OneProps {
  readonly outcome: Outcome.Outcome
  readonly isOfBooks: boolean
}

const One = ({ isOfBooks, outcome }: OneProps) => {
  const { times } = useDesk()
  const entries = [
    ...outcome.deposits.map((entry) => ({ side: "deposit", entry })),
    ...outcome.transfers.map((entry) => ({ side: "transfer", entry }))
  ]
  const [first] = entries
  return (
    <li>
      <p>
        <strong>{ItemWords.title(outcome.code)}</strong> <ShortId id={outcome.id} of="outcome" />
      </p>
      <p class="sentence">{Text.plain(outcome.explanation)}</p>
      <ul class="history">
        {entries.map(({ entry, side }) => (
          <li key={`${side} ${entry.id}`}>
            {times.bound(entry.at)}: {side} of <AmountText amount={entry.amount} /> {Text.plain(entry.asset)},{" "}
            <ShortId id={entry.id} of={side} />
          </li>
        ))}
      </ul>
      {isOfBooks && WAITING.has(outcome.outcome) && first !== undefined ? <ItemLink entry={first.entry.id} /> : null}
    </li>
  )
}

interface PageProps {
  readonly run: string
  readonly code: Outcome.Code | undefined
  readonly isOfBooks: boolean
}

const Page = ({ code, isOfBooks, run }: PageProps) => {
  /** Where each page up to this one begins; the first one begins nowhere. */
  const [ways, go] = useState<ReadonlyArray<string>>([])
  const after = ways.at(-1)
  const ask = (client: Client) =>
    client.runs.runOutcomes({
      params: { id: run },
      query: {
        limit: PAGE,
        ...(code === undefined ? {} : { code: [code] }),
        ...(after === undefined ? {} : { after })
      }
    })
  const asked = useAsked(`outcomes ${run} ${code ?? ""} ${after ?? ""}`, 0, ask)
  return (
    <Shown asked={asked} what="The outcomes">
      {({ next, outcomes }) => (
        <>
          {outcomes.length === 0 ? <p class="empty">The run has no such outcome.</p> : null}
          <ol class="outcomes">
            {outcomes.map((outcome) => <One key={outcome.id} outcome={outcome} isOfBooks={isOfBooks} />)}
          </ol>
          <p class="actions" role="group" aria-label="Pages">
            <button type="button" class="button" disabled={after === undefined} onClick={() => go(ways.slice(0, -1))}>
              Page before
            </button>
            <span role="status">Page {ways.length + 1}</span>
            <button
              type="button"
              class="button"
              disabled={next === undefined}
              onClick={() => next === undefined ? undefined : go([...ways, next])}
            >
              Next page
            </button>
          </p>
        </>
      )}
    </Shown>
  )
}

interface Props {
  readonly run: string
  readonly chosen: URLSearchParams
}

export const RunOutcomes = ({ chosen, run }: Props) => {
  const asked = useAsked(
    `run ${run}`,
    0,
    (client) =>
      Effect.map(client.runs.run({ params: { id: run } }), ({ executions, summary }) => ({
        counts: summary.counts,
        isOfBooks: executions.length > 0
      }))
  )
  const named = chosen.get("code") ?? ""
  const code = isCode(named) ? named : undefined
  return (
    <section class="card run-outcomes" aria-label="Outcomes of the run">
      <p class="actions">
        <strong>Outcomes of</strong> <ShortId id={run} of="run" />
        <button type="button" class="button" onClick={() => Address.choose({ run: "", code: "" })}>
          Close the outcomes
        </button>
      </p>
      <Shown asked={asked} what="The counts of the run">
        {({ counts }) => (
          <div class="filters">
            <label>
              Kind
              <select
                value={code ?? ""}
                onChange={({ currentTarget }) => Address.choose({ code: currentTarget.value })}
              >
                <option value="">All</option>
                {counts.map(({ code }) => <option key={code} value={code}>{ItemWords.title(code)}</option>)}
              </select>
            </label>
          </div>
        )}
      </Shown>
      <Page key={`${run} ${code ?? ""}`} run={run} code={code} isOfBooks={asked.value?.isOfBooks === true} />
    </section>
  )
}
