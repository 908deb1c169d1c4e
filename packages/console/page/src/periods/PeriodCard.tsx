/** A close, what became of its period, and the way to take it back. */
import * as Decision from "@tallystick/archive/Decision"
import type * as Period from "@tallystick/archive/Period"
import * as Text from "@tallystick/report/text/Text"
import type * as Effect from "effect/Effect"
import { useState } from "preact/hooks"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type * as PeriodsApi from "../../../src/internal/api/PeriodsApi.ts"
import type { Told } from "../asking/Failure.ts"
import { useAsked } from "../asking/useAsked.ts"
import * as DecisionWords from "../decisions/DecisionWords.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { Carried } from "./Carried.tsx"

type Became = typeof PeriodsApi.Period.Type

const causes: Readonly<Record<Became["broken"][number]["causes"][number]["of"], string>> = {
  records: "its record",
  surroundings: "records around it",
  decision: "a decision",
  policy: "the policy",
  accounts: "the accounts"
}

const Broken = ({ broken }: Pick<Became, "broken">) => (
  <ul class="history">
    {broken.map(({ after, before, causes: found }) => {
      const entry = after ?? before
      return entry === undefined ? null : (
        <li key={`${entry.side} ${entry.id}`}>
          {entry.side} of <AmountText amount={entry.amount} /> {Text.plain(entry.asset)},{" "}
          <ShortId id={entry.id} of={entry.side} /> {before === undefined ? "was not there" : `was ${before.state}`} and
          {" "}
          {after === undefined ? "is gone" : `is ${after.state}`}, because of{" "}
          {Text.listed(found.map(({ of }) => causes[of]))}
        </li>
      )
    })}
  </ul>
)

const Story = ({ number }: { readonly number: number }) => {
  const { marks } = useDesk()
  const asked = useAsked(
    `period ${number}`,
    `${marks?.ledger} ${marks?.rebuilt}`,
    (client) => client.periods.period({ params: { number } })
  )
  return (
    <Shown asked={asked} what="The facts of the period">
      {({ broken, isAltered, settled, waitsOtherwise }) => (
        <>
          {isAltered ? <p class="trouble" role="alert">The states that it closed were altered.</p> : null}
          <p>
            {broken.length === 0
              ? "Nothing broke it since."
              : `${Text.counted(broken.length, "entry", "entries")} broke it since:`}
          </p>
          <Broken broken={broken} />
          <p class="note">
            Of what it carried, {Text.counted(settled.length, "entry is", "entries are")} settled, and{" "}
            {Text.counted(waitsOtherwise.length, "entry waits", "entries wait")} in another state.
          </p>
        </>
      )}
    </Shown>
  )
}

interface ReopenProps {
  readonly number: number
  readonly write: (effect: Effect.Effect<unknown, Told>, done: string) => void
}

const Reopening = ({ number, write }: ReopenProps) => {
  const { client } = useDesk()
  const [reason, setReason] = useState<Decision.Reason>("other")
  const [words, setWords] = useState("")
  return (
    <form
      class="asking"
      onSubmit={(event) => {
        event.preventDefault()
        write(client.periods.reopen({ params: { number }, payload: { reason, words } }), "The period is open again.")
      }}
    >
      <label>
        Reason
        <select
          autofocus
          value={reason}
          onChange={({ currentTarget }) =>
            setReason(Decision.Reason.literals.find((one) => one === currentTarget.value) ?? "other")}
        >
          {Decision.Reason.literals.map((one) => <option key={one} value={one}>{DecisionWords.reasons[one]}</option>)}
        </select>
      </label>
      <label>
        Why is it reopened?
        <input required pattern=".*\S.*" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
      </label>
      <button type="submit" class="button primary">Reopen the period</button>
    </form>
  )
}

interface Props {
  readonly closed: Pick<Period.Closed, "id" | "close" | "reopened">
  /** Whether it is the last close that stands: only this one can be taken back. */
  readonly isLast: boolean
  readonly write: ReopenProps["write"]
}

export const PeriodCard = ({ closed: { close, id, reopened }, isLast, write }: Props) => {
  const { mayApprove, times } = useDesk()
  const [isOpen, setOpen] = useState(false)
  const [isCarriedOpen, setCarriedOpen] = useState(false)
  const [isAsking, setAsking] = useState(false)
  return (
    <article class="card" aria-label={`Closed through ${close.through}`}>
      <p class="decided">
        <strong>Closed through {close.through}</strong> ({close.zone}) by {Text.plain(close.by)},{" "}
        {times.bound(close.at)}{" "}
        <span class={`tag ${reopened === undefined ? "good" : ""}`}>
          {reopened === undefined ? "stands" : "reopened"}
        </span>
      </p>
      <p class="note">
        {Text.counted(close.carried.count, "entry was", "entries were")} carried openly;{" "}
        {Text.counted(close.provisional, "entry was", "entries were")} settled by outcomes that were not final. Row{" "}
        {close.number}, <ShortId id={id} of="close" />
      </p>
      {reopened === undefined
        ? null
        : <blockquote>{Text.plain(reopened.by)} reopened it: {Text.plain(reopened.words)}</blockquote>}
      <p class="actions">
        {reopened === undefined
          ? (
            <button type="button" class="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
              What became of it
            </button>
          )
          : null}
        {close.carried.count === 0
          ? null
          : (
            <button
              type="button"
              class="button"
              aria-expanded={isCarriedOpen}
              onClick={() => setCarriedOpen(!isCarriedOpen)}
            >
              What it carried
            </button>
          )}
        {mayApprove && isLast
          ? <button type="button" class="button" onClick={() => setAsking(!isAsking)}>Reopen</button>
          : null}
      </p>
      {isOpen ? <Story number={close.number} /> : null}
      {isCarriedOpen ? <Carried number={close.number} /> : null}
      {isAsking && isLast ? <Reopening number={close.number} write={write} /> : null}
    </article>
  )
}
