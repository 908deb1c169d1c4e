/** One item: its sentence, its entries with what became of them, what might belong to it, and what was decided. */
import type * as ListedItem from "@tallystick/archive/ListedItem"
import * as FinalText from "@tallystick/report/text/FinalText"
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import { AmountText } from "../../../../report/page/src/components/AmountText.tsx"
import { ShortId } from "../../../../report/page/src/components/ShortId.tsx"
import type { Client } from "../asking/Client.ts"
import { useAsked } from "../asking/useAsked.ts"
import * as DecisionWords from "../decisions/DecisionWords.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { Agreement } from "./Agreement.tsx"
import * as ItemWords from "./ItemWords.ts"

/** What the archive does not have is not shown. */
const ifThere = <A, E extends { readonly _tag: string }, R>(asked: Effect.Effect<A, E, R>) =>
  Effect.catchIf(Effect.asSome(asked), ({ _tag }) => _tag === "NotFound", () => Effect.succeedNone)

const ask = ({ first: { id, side }, id: item, outcome }: ListedItem.ListedItem) => (client: Client) =>
  Effect.all({
    item: client.items.item({ params: { id: item } }),
    outcome: outcome === "" ? Effect.succeedNone : ifThere(client.runs.outcome({ params: { id: outcome } })),
    candidates: ifThere(client.entries.candidates({ params: { side, id }, query: { limit: 5 } }))
  }, { concurrency: "unbounded" })

const MINUTE = 60_000

type Facts = Effect.Success<ReturnType<ReturnType<typeof ask>>>
type Story = Facts["item"]["stories"][number]

const Entry = ({ story: { changes, decisions, entry } }: { readonly story: Story }) => {
  const { times } = useDesk()
  return (
    <section class="entry" aria-label={`${entry.side} ${Text.plain(entry.id)}`}>
      <h3>
        {entry.side} of <AmountText amount={entry.amount} /> {Text.plain(entry.asset)}
      </h3>
      <dl class="facts">
        <div>
          <dt>Id</dt>
          <dd>
            <ShortId id={entry.id} of={entry.side} />
          </dd>
        </div>
        <div>
          <dt>Time</dt>
          <dd>{times.instant(entry.at)}</dd>
        </div>
        {entry.account === undefined ? null : (
          <div>
            <dt>Account</dt>
            <dd>{Text.plain(entry.account)}</dd>
          </div>
        )}
      </dl>
      <h4>History</h4>
      <ol class="history">
        {changes.map(({ code, execution, state }) => (
          <li key={execution}>Execution {execution}: {state}, {ItemWords.title(code)}</li>
        ))}
      </ol>
      {decisions.length === 0 ? null : (
        <>
          <h4>Decisions</h4>
          <ul class="history">
            {decisions.map((decision) => (
              <li key={decision.id}>
                {Text.plain(decision.body.by)} {DecisionWords.verbs[decision.body.kind]} it (decision{" "}
                {decision.body.number}, {DecisionWords.standing(decision).words})
                {"words" in decision.body && decision.body.words !== undefined
                  ? `: ${Text.plain(decision.body.words)}`
                  : ""}
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}

const Candidates = ({ found }: { readonly found: Facts["candidates"] }) => {
  const { times } = useDesk()
  if (found._tag === "None") return null
  const { candidates, entry, searched } = found.value
  return (
    <section aria-label="Candidates">
      <h3>Might belong to the {entry.side}</h3>
      {candidates.length === 0
        ? (
          <p class="note">
            Nothing of its asset lies between {times.bound(searched.from)} and {times.bound(searched.to)}.
          </p>
        )
        : (
          <ul class="history">
            {candidates.map((candidate) => (
              <li key={candidate.entry.id}>
                <AmountText amount={candidate.entry.amount} /> {Text.plain(candidate.entry.asset)},{" "}
                {times.bound(candidate.entry.at)}, <ShortId id={candidate.entry.id} of={candidate.entry.side} />
                <Agreement candidate={candidate} />
              </li>
            ))}
          </ul>
        )}
    </section>
  )
}

/** The sentence of the outcome, and when it becomes final. */
const Said = ({ found }: { readonly found: Facts["outcome"] }) => {
  const { times } = useDesk()
  const outcome = found._tag === "None" ? undefined : found.value.versions.at(-1)?.outcome
  if (outcome === undefined) return null
  return (
    <>
      <p class="sentence">{Text.plain(outcome.explanation)}</p>
      <p class="note">State: {FinalText.of(outcome, (ms) => times.bound(Math.floor(ms / MINUTE) * MINUTE))}.</p>
    </>
  )
}

interface Props {
  readonly item: ListedItem.ListedItem
  readonly version: unknown
  readonly close: () => void
}

export const ItemDetails = ({ close, item, version }: Props) => {
  const asked = useAsked(`item ${item.id} ${item.outcome}`, version, ask(item))
  return (
    <section id="details" class="card details" tabIndex={-1} aria-label="The item">
      <p class="actions">
        <span class="tag">{ItemWords.states[item.state]}</span> <ShortId id={item.id} of="item" />
        <button type="button" class="button" onClick={close}>Close the item</button>
      </p>
      <h2>{ItemWords.title(item.code)}</h2>
      {item.difference === undefined ? null : (
        <p>
          Difference: {ItemWords.difference(item.difference)}
        </p>
      )}
      <Shown asked={asked} what="The facts of the item">
        {({ candidates, item: { stories }, outcome }) => (
          <>
            <Said found={outcome} />
            {stories.map((story) => <Entry key={`${story.entry.side} ${story.entry.id}`} story={story} />)}
            <Candidates found={candidates} />
          </>
        )}
      </Shown>
    </section>
  )
}
