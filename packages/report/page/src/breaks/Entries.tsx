/** The entries of one side of an outcome. */
import type * as Entry from "@tallystick/reconcile/Entry"
import * as Report from "@tallystick/reconcile/Report"
import { useContext } from "preact/hooks"
import * as OtherDays from "../../../src/text/OtherDays.ts"
import * as Text from "../../../src/text/Text.ts"
import { Asked } from "../Asked.ts"
import { Clock } from "../Clock.ts"
import { AmountText } from "../components/AmountText.tsx"
import { CountText } from "../components/CountText.tsx"
import { ShortId } from "../components/ShortId.tsx"
import { Few } from "./Few.tsx"

const Fact = (
  { code = false, label, text }: { readonly label: string; readonly text: string | undefined; readonly code?: boolean }
) =>
  text === undefined || text === "" ? null : (
    <div>
      <dt>{label}</dt>
      <dd>{code ? <code>{Text.plain(text)}</code> : <bdi>{Text.plain(text)}</bdi>}</dd>
    </div>
  )

const Named = ({ id, label, of }: { readonly label: string; readonly id: string | undefined; readonly of: string }) =>
  id === undefined || id === "" ? null : (
    <div>
      <dt>{label}</dt>
      <dd>
        <ShortId id={Text.plain(id)} of={of} />
      </dd>
    </div>
  )

export const route = ({ from, fromType, to, toType }: Entry.Entry): string | undefined => {
  if (from === undefined && to === undefined) return undefined
  const end = (name: string | undefined, type: string | undefined) =>
    `${name === undefined ? "unknown" : name || "master"}${type === undefined ? "" : ` (${type})`}`
  return `${end(from, fromType)} to ${end(to, toType)}`
}

export const past = (entry: Entry.Entry, instant: (ms: number) => string): string | undefined => {
  if (entry.past === undefined) return undefined
  const { conflicts = [], statuses, vanishedAt } = entry.past
  return [
    ...statuses.map(({ seenAt, status }) => `${status} seen at ${instant(seenAt)}`),
    ...(vanishedAt === undefined ? [] : [`no longer shown at ${instant(vanishedAt)}`]),
    ...conflicts.map((conflict) => `also told as ${conflict}`)
  ].join("; ")
}

const One = ({ entry }: { readonly entry: Entry.Entry }) => {
  const times = useContext(Clock)
  const isInRange = Report.isInRange(useContext(Asked))
  const { account, address, amount, asset, at, id, memo, network, record, reference, status } = entry
  return (
    <li class="entry">
      <p class="sum">
        <AmountText amount={amount} /> <bdi>{Text.plain(asset)}</bdi>
        {status === "settled" ? null : <span class="status">{status}</span>}
        {isInRange(entry) ? null : <span class="status">{OtherDays.ONE}</span>}
      </p>
      <dl>
        <Fact label="Time" text={times.instant(at)} />
        <Fact label="Account" text={account ?? "unknown"} />
        <Named label="Id" id={id} of={entry.side} />
        <Named label="Reference" id={reference} of={`reference of the ${entry.side}`} />
        <Fact label="Route" text={route(entry)} />
        <Fact label="Network" text={network} />
        <Named label="Address" id={address} of="address" />
        <Fact label="Memo" text={memo} code />
        <Fact label="Before" text={past(entry, times.instant)} />
      </dl>
      {record === undefined ? null : (
        <details class="record">
          <summary>
            Record<span class="unseen">of {Text.plain(id)}</span>
          </summary>
          <pre>{Text.plain(JSON.stringify(record))}</pre>
        </details>
      )}
    </li>
  )
}

interface Props {
  readonly title: string
  readonly entries: ReadonlyArray<Entry.Entry>
}

export const Entries = ({ entries, title }: Props) => (
  <section class="side" aria-label={title}>
    <h3>
      {title}{" "}
      <span class="count">
        <CountText text={Text.count(entries.length)} />
      </span>
    </h3>
    {entries.length === 0 ?
      <p class="note">None.</p> :
      <Few items={entries} all={false}>{(entry) => <One key={entry.id} entry={entry} />}</Few>}
  </section>
)
