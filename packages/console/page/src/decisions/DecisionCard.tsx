/** One decision of the ledger, and what may be done about it. */
import * as Decision from "@tallystick/archive/Decision"
import * as Text from "@tallystick/report/text/Text"
import { useState } from "preact/hooks"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Head as HeadSchema } from "../../../src/internal/api/Entries.ts"
import { useDesk } from "../frame/Desk.ts"
import * as DecisionWords from "./DecisionWords.ts"

type Head = typeof HeadSchema.Type

interface Props {
  readonly decision: Decision.Decision
  /** The end of the ledger with which it is shown. */
  readonly head: Head
  /** Decides behind the ledger that was seen; `done` hears when it is written. */
  readonly act: (act: Decision.Each, seen: Head, done: () => void) => void
  /** Something is being written. */
  readonly isWriting: boolean
}

/** So many entries are shown at once. */
const SHOWN = 5

const Entries = ({ body }: { readonly body: Decision.Body }) => {
  const { times } = useDesk()
  const [isWhole, setWhole] = useState(false)
  const all = Decision.subjects(body)
  const left = all.length - SHOWN
  return (
    <ul class="subjects">
      {(isWhole ? all : all.slice(0, SHOWN)).map(({ amount, asset, at, id, side }) => (
        <li key={`${side} ${id}`}>
          {side} <AmountText amount={amount} /> {Text.plain(asset)}, {times.bound(at)}, <ShortId id={id} of={side} />
        </li>
      ))}
      {left <= 0 || isWhole ? null : (
        <li>
          <button type="button" class="link" onClick={() => setWhole(true)}>and {Text.count(left)} more</button>
        </li>
      )}
    </ul>
  )
}

type Doing = "revoke" | "approve"

const PROMPTS: Readonly<Record<Doing, string>> = {
  revoke: "Why is it taken back?",
  approve: "Why do you agree?"
}

const Asking = (
  { act, decision, doing, end, head, isWriting }: Props & { readonly doing: Doing; readonly end: () => void }
) => {
  /** The page may read a later one while somebody types; what is sent again is sent with this one. */
  const [seen] = useState(head)
  const [words, write] = useState("")
  const { number } = decision.body
  return (
    <form
      class="asking"
      onSubmit={(event) => {
        event.preventDefault()
        act({ kind: doing, decision: number, words }, seen, end)
      }}
    >
      <label>
        {PROMPTS[doing]}
        <input
          required
          pattern=".*\S.*"
          autofocus
          value={words}
          onInput={({ currentTarget }) => write(currentTarget.value)}
        />
      </label>
      <button type="submit" class="button primary" disabled={isWriting}>
        {doing === "revoke" ? "Take back" : "Approve"} decision {number}
      </button>
      <button type="button" class="button" onClick={end}>Leave it</button>
    </form>
  )
}

export const DecisionCard = ({ act, decision, head, isWriting }: Props) => {
  const { mayApprove, mayDecide, person, times } = useDesk()
  const [doing, set] = useState<Doing>()
  const { body } = decision
  const { kind, words } = DecisionWords.standing(decision)
  const isRevocable = mayDecide && body.kind !== "revoke" && body.kind !== "setting" && decision.revokedBy === undefined
  const isApprovable = mayApprove && Decision.isProposed(decision) && !Decision.isSamePerson(body.by, person.name)
  return (
    <article class="card" aria-label={`Decision ${body.number}`}>
      <p class="decided">
        <strong>{Text.plain(body.by)}</strong> {body.identity === "claimed" ? "(claimed) " : ""}
        {DecisionWords.verbs[body.kind]} {DecisionWords.object(body)} <span class={`tag ${kind}`}>{words}</span>
      </p>
      <p class="note">
        {`Decision ${body.number}, ${times.bound(body.at)}`}
        {"reason" in body ? `, ${DecisionWords.reasons[body.reason].toLowerCase()}` : ""}
      </p>
      {"words" in body && body.words !== undefined ? <blockquote>{Text.plain(body.words)}</blockquote> : null}
      <Entries body={body} />
      {doing === undefined
        ? (
          <p class="actions">
            {isRevocable ? <button type="button" class="button" onClick={() => set("revoke")}>Take back</button> : null}
            {isApprovable ? <button type="button" class="button" onClick={() => set("approve")}>Approve</button> : null}
          </p>
        )
        : (
          <Asking
            act={act}
            decision={decision}
            head={head}
            doing={doing}
            end={() => set(undefined)}
            isWriting={isWriting}
          />
        )}
    </article>
  )
}
