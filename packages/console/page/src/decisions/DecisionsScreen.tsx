/** The ledger: each decision with its author, reason and words, and whether it holds; the last one first. */
import * as Decision from "@tallystick/archive/Decision"
import * as Text from "@tallystick/report/text/Text"
import { useState } from "preact/hooks"
import type * as Entries from "../../../src/internal/api/Entries.ts"
import { useAsked } from "../asking/useAsked.ts"
import { useWriting } from "../asking/useWriting.ts"
import * as Address from "../frame/Address.ts"
import { useDesk } from "../frame/Desk.ts"
import { Shown } from "../frame/Shown.tsx"
import { DecisionCard } from "./DecisionCard.tsx"
import * as DecisionWords from "./DecisionWords.ts"

const PAGE = 50

const STANDINGS = { holds: "hold", proposed: "wait for approval", revoked: "were taken back" } as const

type Standing = keyof typeof STANDINGS

const isStanding = (text: string): text is Standing => text in STANDINGS

const isKind = (text: string): text is Decision.Kind => text in DecisionWords.verbs

interface Props {
  readonly chosen: URLSearchParams
}

export const DecisionsScreen = ({ chosen }: Props) => {
  const { client, marks } = useDesk()
  const [limit, setLimit] = useState(PAGE)
  const [said, say] = useState<string>()
  const [kind, standing, text] = [chosen.get("kind") ?? "", chosen.get("standing") ?? "", chosen.get("text") ?? ""]
  const query = {
    ...isKind(kind) ? { kind: [kind] } : {},
    ...isStanding(standing) ? { standing } : {},
    ...text === "" ? {} : { text: text.slice(0, 200) },
    limit: Math.min(limit, 1000)
  }
  const [times, again] = useState(0)
  const asked = useAsked(
    JSON.stringify({ ...query, limit: 0 }),
    `${marks?.ledger}-${limit}-${times}`,
    (client) => client.decisions.decisions({ query })
  )
  const { isWriting, trouble, write } = useWriting()
  const act = (act: Decision.Each, seen: typeof Entries.Head.Type, done: () => void): void => {
    say(undefined)
    write(client.decisions.decide({ payload: { acts: [act], seen } }), ({ decisions: [decision] }) => {
      done()
      again((times) => times + 1)
      say(`Decision ${decision?.body.number ?? ""} is in the ledger.`)
    })
  }
  return (
    <section aria-label="Decisions">
      <div class="filters" role="search">
        <label class="search">
          Search in words, authors and entries
          <input
            type="search"
            value={text}
            onInput={({ currentTarget }) => Address.choose({ text: currentTarget.value })}
          />
        </label>
        <label>
          Kind
          <select value={kind} onChange={({ currentTarget }) => Address.choose({ kind: currentTarget.value })}>
            <option value="">All</option>
            {Decision.Kind.literals.map((one) => <option key={one} value={one}>{DecisionWords.verbs[one]}</option>)}
          </select>
        </label>
        <label>
          Show those that
          <select value={standing} onChange={({ currentTarget }) => Address.choose({ standing: currentTarget.value })}>
            <option value="">are in the ledger</option>
            {Object.entries(STANDINGS).map(([value, words]) => <option key={value} value={value}>{words}</option>)}
          </select>
        </label>
      </div>
      <p class="said" role="status">{trouble ?? said}</p>
      <Shown asked={asked} what="The decisions">
        {({ count, decisions, fault, head, next }) => (
          <>
            {fault === undefined ? null : <p class="trouble" role="alert">{Text.plain(fault)}</p>}
            <p class="note">
              {Text.counted(count, "decision")}; the ledger ends at row {Text.count(head.number)}
              {fault === undefined ? ". Each row was checked when this console first read it." : "."}
            </p>
            {decisions.length === 0
              ? (
                <p class="empty">
                  {count === 0 && kind + standing + text === "" ? "Nobody decided anything yet." : "No decision is so."}
                </p>
              )
              : (
                <ol class="cards-list">
                  {decisions.map((decision) => (
                    <li key={decision.id}>
                      <DecisionCard decision={decision} head={head} act={act} isWriting={isWriting} />
                    </li>
                  ))}
                </ol>
              )}
            {next === undefined || limit >= 1000
              ? null
              : <button type="button" class="button" onClick={() => setLimit(limit + PAGE)}>Show more</button>}
          </>
        )}
      </Shown>
    </section>
  )
}
