/** What is known of an outcome beside its entries: what else was considered, what was not read, pairs, and how it was decided. */
import type * as Outcome from "@tallystick/reconcile/Outcome"
import { useContext } from "preact/hooks"
import { scopeOf } from "../../../src/text/Scope.ts"
import * as Text from "../../../src/text/Text.ts"
import { duration } from "../../../src/text/Times.ts"
import { Clock } from "../Clock.ts"
import { AmountText } from "../components/AmountText.tsx"
import { CountText } from "../components/CountText.tsx"
import { ShortId } from "../components/ShortId.tsx"
import { Few } from "./Few.tsx"

const deciders: Readonly<Record<NonNullable<Outcome.Outcome["decidedBy"]>, string>> = {
  forced: "forced: no other largest matching exists",
  time: "time: every other candidate is much further away",
  assigned: "assigned: the policy asked for one of several",
  amount: "amount",
  reference: "reference",
  link: "link made by hand"
}

interface ListProps<A> {
  readonly items: ReadonlyArray<A>
  readonly all: boolean
}

const Candidates = ({ all, items }: ListProps<Outcome.Candidate>) =>
  items.length === 0 ? null : (
    <section class="candidates" aria-label="Candidates">
      <h3>
        Considered as well{" "}
        <span class="count">
          <CountText text={Text.count(items.length)} />
        </span>
      </h3>
      <Few items={items} all={all}>
        {({ id, reason, side }, index) => (
          <li key={index}>
            {side} <ShortId id={Text.plain(id)} of={side} />: <bdi>{Text.plain(reason)}</bdi>
          </li>
        )}
      </Few>
    </section>
  )

const Pairs = ({ all, items, title }: ListProps<Outcome.Pair> & { readonly title: string }) => (
  <details class="pairs" open={all}>
    <summary>
      <CountText text={`${title}: ${Text.count(items.length)}`} />
    </summary>
    <Few items={items} all={all}>
      {({ deposit, lagMs, transfer }) => (
        <li key={`${deposit} ${transfer}`}>
          <ShortId id={Text.plain(deposit)} of="deposit" /> with{" "}
          <ShortId id={Text.plain(transfer)} of="transfer" />, lag {duration(lagMs)}
        </li>
      )}
    </Few>
  </details>
)

export interface Props {
  readonly outcome: Outcome.Outcome
  readonly worth: string | null
  /** Whether nothing may be folded away: on paper. */
  readonly all?: boolean
}

export const Evidence = ({ all = false, outcome, worth }: Props) => {
  const times = useContext(Clock)
  const {
    candidates,
    code,
    decidedBy,
    final,
    id,
    lagMs,
    matchedCount,
    missing,
    openCount,
    openSum,
    pairs,
    residual,
    rule
  } = outcome
  return (
    <>
      <Candidates items={candidates} all={all} />
      {missing === undefined ? null : (
        <p class="not-read">
          Not read: {Text.plain(scopeOf(missing))}, {times.bound(missing.from)} to {times.bound(missing.to)}
          {missing.gap === undefined ? "" : `: ${Text.plain(missing.gap.detail)} [${missing.gap.code}]`}
        </p>
      )}
      {pairs === undefined || pairs.length === 0 ? null : (
        <Pairs
          items={pairs}
          all={all}
          title={code === "class-balanced" || code === "class-short"
            ? "Pairs by convention, first in first out"
            : "Pairs"}
        />
      )}
      <dl class="evidence">
        {lagMs === null ? null : (
          <div>
            <dt>Lag</dt>
            <dd>
              <CountText text={`${duration(lagMs)} (${Text.count(lagMs)} ms)`} />
            </dd>
          </div>
        )}
        {residual === null ? null : (
          <div>
            <dt>Residual</dt>
            <dd>
              <AmountText amount={residual} />
            </dd>
          </div>
        )}
        {matchedCount === undefined ? null : (
          <div>
            <dt>Certain pairs</dt>
            <dd>
              <CountText text={Text.count(matchedCount)} />
            </dd>
          </div>
        )}
        {openCount === undefined ? null : (
          <div>
            <dt>Certainly open</dt>
            <dd>
              <CountText text={Text.count(openCount)} />
            </dd>
          </div>
        )}
        {openSum === undefined ? null : (
          <div>
            <dt>Open sum</dt>
            <dd>
              <AmountText amount={openSum} />
            </dd>
          </div>
        )}
        {worth === null ? null : (
          <div>
            <dt>Worth</dt>
            <dd>
              <AmountText amount={worth} />
            </dd>
          </div>
        )}
        {decidedBy === undefined ? null : (
          <div>
            <dt>Decided by</dt>
            <dd>{deciders[decidedBy]}</dd>
          </div>
        )}
        {rule === undefined ? null : (
          <div>
            <dt>Rule</dt>
            <dd>
              <bdi>{Text.plain(rule)}</bdi>
            </dd>
          </div>
        )}
        <div>
          <dt>Code</dt>
          <dd>
            <code>{code}</code>
          </dd>
        </div>
        <div>
          <dt>Final</dt>
          <dd>{final ? "yes" : "no: a longer range may change it"}</dd>
        </div>
        <div>
          <dt>Outcome</dt>
          <dd>
            <ShortId id={id} of="outcome" />
          </dd>
        </div>
      </dl>
    </>
  )
}
