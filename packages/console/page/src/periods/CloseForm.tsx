/** Closes the books up to the end of a day. A refusal names each thing that is lacking. */
import type * as Closing from "@tallystick/archive/Closing"
import * as DateTime from "effect/DateTime"
import type * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import { useState } from "preact/hooks"
import type { Told } from "../asking/Failure.ts"
import { useDesk } from "../frame/Desk.ts"

/** The moment at which a day begins in a zone, Unix ms. */
const beginning = (day: string, zone: string): number | undefined => {
  const [year, month, date] = day.split("-").map(Number)
  if (year === undefined || month === undefined || date === undefined) return undefined
  const begins = DateTime.makeZoned({ year, month, day: date }, { timeZone: zone, adjustForTimeZone: true })
  return Option.getOrUndefined(Option.map(begins, DateTime.toEpochMillis))
}

interface Props {
  /** The last close that stands: the next period begins where it ends, in its zone. */
  readonly last: Closing.Close | undefined
  readonly write: (effect: Effect.Effect<unknown, Told>, done: string) => void
}

export const CloseForm = ({ last, write }: Props) => {
  const { client, times } = useDesk()
  const [through, setThrough] = useState("")
  const [first, setFirst] = useState("")
  const [carryOpen, setCarryOpen] = useState(false)
  const zone = last?.zone ?? times.zone
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault()
    const from = last === undefined ? beginning(first, zone) : undefined
    const payload = { through, carryOpen, ...last === undefined ? { zone } : {}, ...from === undefined ? {} : { from } }
    write(client.periods.close({ payload }), `The books are closed through ${through}.`)
  }
  return (
    <form class="card asking" aria-label="Close the books" onSubmit={onSubmit}>
      {last === undefined
        ? (
          <label>
            First day ({zone})
            <input type="date" required value={first} onInput={({ currentTarget }) => setFirst(currentTarget.value)} />
          </label>
        )
        : null}
      <label>
        Last day ({zone})
        <input type="date" required value={through} onInput={({ currentTarget }) => setThrough(currentTarget.value)} />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={carryOpen}
          onChange={({ currentTarget }) => setCarryOpen(currentTarget.checked)}
        />
        Carry openly what waits
      </label>
      <button type="submit" class="button primary">Close the books</button>
    </form>
  )
}
