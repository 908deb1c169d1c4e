/** What the books say of an entry, in words and as JSON. */
import * as Execution from "@tallystick/archive/Execution"
import type * as OpenItem from "@tallystick/archive/OpenItem"
import type * as Outcome from "@tallystick/reconcile/Outcome"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import * as Option from "effect/Option"
import type * as ZonedTimes from "../text/ZonedTimes.ts"
import * as DecisionText from "./DecisionText.ts"

/** A story, and the outcome in which the entry stands now where it is still kept. */
export interface Told {
  readonly story: OpenItem.Story
  readonly outcome: Option.Option<Outcome.Outcome>
}

interface Look {
  readonly width: number
  readonly times: ZonedTimes.ZonedTimes
  readonly executions: ReadonlyMap<number, Execution.Body>
}

const INDENT = "  "

export const lines = ({ outcome, story }: Told, { executions, times, width }: Look): ReadonlyArray<string> => {
  const { changes, decisions, entry } = story
  const { account, amount, asset, at, code, id, item, side, state } = entry
  const paragraph = (text: string): ReadonlyArray<string> => Text.paragraph(INDENT, Text.plain(text), width)
  const moment = ({ at, execution }: OpenItem.EntryState): string => {
    const body = executions.get(execution)
    return body === undefined
      ? ""
      : ` at ${times.bound(body.at)}${times.suffix}, run ${Execution.judgingAt(body, at).run}`
  }
  return [
    `${item}  ${side} ${id}`,
    ...paragraph(
      `${amount} ${asset}${account === undefined ? "" : ` of ${account}`} at ${times.bound(at)}${times.suffix}`
    ),
    ...paragraph(`${state}: ${code}, last judged by execution ${entry.execution}${moment(entry)}`),
    ...Option.match(outcome, { onNone: () => [], onSome: ({ explanation }) => paragraph(explanation) }),
    ...changes.flatMap((change) =>
      paragraph(
        `execution ${change.execution}${moment(change)}: ${change.state}, ${change.code}, ` +
          `${change.amount} ${change.asset}`
      )
    ),
    ...decisions.flatMap((decision) =>
      paragraph(
        `${times.bound(decision.body.at)}${times.suffix}, ${decision.body.by}: ${DecisionText.sentence(decision)}`
      )
    )
  ].map(Text.plain)
}

export const json = (told: ReadonlyArray<Told>): string =>
  `${
    SafeJson.stringify(
      told.map(({ outcome, story: { changes, decisions, entry } }) => ({
        entry,
        ...Option.match(outcome, { onNone: () => ({}), onSome: ({ explanation }) => ({ explanation }) }),
        changes,
        decisions: decisions.map(DecisionText.told)
      })),
      2
    )
  }\n`
