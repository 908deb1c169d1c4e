/** Decisions in words and as JSON. */
import * as Decision from "@tallystick/archive/Decision"
import * as Grid from "@tallystick/report/text/Grid"
import * as SafeJson from "@tallystick/report/text/SafeJson"
import * as Text from "@tallystick/report/text/Text"
import type * as ZonedTimes from "../text/ZonedTimes.ts"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "NO", align: "right" },
  { title: "AT", align: "left" },
  { title: "BY", align: "left" },
  { title: "WHAT", align: "left" },
  { title: "ENTRIES", align: "left" },
  { title: "WHY", align: "left" }
]

/** How far the name can be trusted, where it is not a token that says it. */
const author = ({ by, identity }: Decision.Body): string => identity === "claimed" ? `${by} (claimed)` : by

/** A class of equal amounts may have thousands of entries: so many are named. */
const MOST = 8

const named = (all: ReadonlyArray<Decision.Subject>): string => {
  const others = all.length - MOST
  const shown = all.slice(0, MOST).map(({ amount, asset, id, side }) => `${side} ${id} (${amount} ${asset})`)
  return `${shown.join(" + ")}${others > 0 ? ` and ${others} more` : ""}`
}

const entries = (body: Decision.Body): string =>
  body.kind === "revoke"
    ? `decision ${body.decision}`
    : `${body.kind === "accept" ? `${body.code}${body.provisional === true ? ", not final," : ""} of ` : ""}${
      named(body.entries)
    }`

const why = ({ body, revokedBy }: Decision.Decision): string => {
  const reason = Decision.isFollowed(body) ? `${body.reason}: ${body.words}` : body.words
  return revokedBy === undefined ? reason : `${reason} [revoked by ${revokedBy}]`
}

/** `decision 3, exclude transfer 7 (1.5 BTC), test: a test of ours`. */
export const sentence = (decision: Decision.Decision): string =>
  Text.plain(`decision ${decision.body.number}, ${decision.body.kind} ${entries(decision.body)}, ${why(decision)}`)

const row = (decision: Decision.Decision, { minute }: ZonedTimes.ZonedTimes): ReadonlyArray<string> => {
  const { body } = decision
  return [String(body.number), minute(body.at), author(body), body.kind, entries(body), why(decision)].map(Text.plain)
}

/** `width`: cells of a line. */
export const table = (
  decisions: ReadonlyArray<Decision.Decision>,
  width: number,
  times: ZonedTimes.ZonedTimes
): string => {
  const { header, rows } = Grid.fitted(columns, decisions.map((decision) => row(decision, times)), width)
  return `${[...(header === undefined ? [] : [header]), ...rows].join("\n")}\n`
}

/** An array of what the ledger keeps, each with its id and, where it was taken back, with the number of what did so. */
export const json = (decisions: ReadonlyArray<Decision.Decision>): string =>
  `${
    SafeJson.stringify(
      decisions.map(({ body, id, revokedBy }) => ({ id, ...body, ...(revokedBy === undefined ? {} : { revokedBy }) })),
      2
    )
  }\n`
