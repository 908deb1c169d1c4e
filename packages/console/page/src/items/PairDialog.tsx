/** Links an entry with others, or keeps them apart: candidates with all that agrees, and what is left while one chooses. */
import * as Decision from "@tallystick/archive/Decision"
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as Text from "@tallystick/report/text/Text"
import { useLayoutEffect, useRef, useState } from "preact/hooks"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import type * as EntriesApi from "../../../src/internal/api/EntriesApi.ts"
import { useAsked } from "../asking/useAsked.ts"
import type { Writing } from "../asking/useWriting.ts"
import * as DecisionWords from "../decisions/DecisionWords.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { Agreement } from "./Agreement.tsx"
import { Dialog } from "./Dialog.tsx"
import * as Running from "./Running.ts"

export type Pairing = "link" | "forbid"

type Others = readonly [string, ...Array<string>]

interface Props {
  readonly kind: Pairing
  readonly item: ListedItem.ListedItem
  readonly act: (others: Others, why: { readonly reason: Decision.Reason; readonly words: string }) => void
  readonly writing: Pick<Writing, "isWriting" | "trouble">
  readonly close: () => void
}

type Found = typeof EntriesApi.Candidates.Type

interface CandidateProps {
  readonly candidate: Found["candidates"][number]
  readonly isChosen: boolean
  readonly toggle: () => void
}

const Candidate = ({ candidate, isChosen, toggle }: CandidateProps) => {
  const { times } = useDesk()
  const { account, amount, asset, at, id } = candidate.entry
  return (
    <label class="candidate">
      <input type="checkbox" checked={isChosen} onChange={toggle} />
      <span>
        <AmountText amount={amount} /> {Text.plain(asset)}, {times.bound(at)}
        {account === undefined ? "" : `, ${Text.plain(account)}`} <code>{Text.plain(id)}</code>
        <Agreement candidate={candidate} />
      </span>
    </label>
  )
}

const Form = (
  { act, close, found: { candidates, searched }, item: { first }, kind, writing: { isWriting } }: Props & {
    readonly found: Found
  }
) => {
  const { times } = useDesk()
  const [chosen, choose] = useState<ReadonlySet<string>>(new Set())
  const [reason, setReason] = useState<Decision.Reason>("other")
  const [words, setWords] = useState("")
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => form.current?.querySelector("input")?.focus(), [])
  const taken = candidates.filter(({ entry }) => chosen.has(entry.id))
  const left = Running.difference(first.amount, taken.map(({ entry }) => entry.amount))
  const [one, ...others] = taken.map(({ entry }) => entry.id)
  const toggle = (id: string): void => {
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    choose(next)
  }
  return (
    <form
      ref={form}
      class="act"
      onSubmit={(event) => {
        event.preventDefault()
        if (one !== undefined) act([one, ...others], { reason, words })
      }}
    >
      {candidates.length === 0
        ? (
          <p class="empty">
            Nothing of its asset lies between {times.bound(searched.from)} and {times.bound(searched.to)}.
          </p>
        )
        : null}
      <fieldset class="candidates">
        <legend class="unseen">Candidates</legend>
        {candidates.map((candidate) => (
          <Candidate
            key={candidate.entry.id}
            candidate={candidate}
            isChosen={chosen.has(candidate.entry.id)}
            toggle={() => toggle(candidate.entry.id)}
          />
        ))}
      </fieldset>
      {kind === "forbid" ? null : (
        <p role="status">
          {taken.length === 0
            ? "Choose one or several."
            : (
              <>
                Left:{" "}
                <strong>
                  <AmountText amount={left} /> {Text.plain(first.asset)}
                </strong>
              </>
            )}
        </p>
      )}
      <label>
        Reason
        <select
          value={reason}
          onChange={({ currentTarget }) =>
            setReason(Decision.Reason.literals.find((one) => one === currentTarget.value) ?? "other")}
        >
          {Decision.Reason.literals.map((one) => <option key={one} value={one}>{DecisionWords.reasons[one]}</option>)}
        </select>
      </label>
      <label>
        In your words
        <input required pattern=".*\S.*" value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
      </label>
      <p class="actions">
        <button type="submit" class="button primary" disabled={taken.length === 0 || isWriting}>
          {isWriting ? "It is being written" : kind === "link" ? "Link" : "Keep apart"}
        </button>
        <button type="button" class="button" onClick={close}>Leave it</button>
      </p>
    </form>
  )
}

export const PairDialog = (props: Props) => {
  const { close, item: { first }, kind, writing } = props
  const asked = useAsked(
    `candidates ${first.side} ${first.id}`,
    0,
    (client) => client.entries.candidates({ params: { side: first.side, id: first.id }, query: { limit: 50 } })
  )
  const title = kind === "link" ? `Link this ${first.side} with` : `This ${first.side} does not belong to`
  return (
    <Dialog title={title} close={close} trouble={writing.trouble}>
      <p>
        <AmountText amount={first.amount} /> {Text.plain(first.asset)}
        {first.account === undefined ? "" : `, ${Text.plain(first.account)}`}
      </p>
      <Shown asked={asked} what="The candidates">{(found) => <Form {...props} found={found} />}</Shown>
    </Dialog>
  )
}
