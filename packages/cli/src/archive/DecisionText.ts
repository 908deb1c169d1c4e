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

/** Says how decisions are made. */
export const settings = ({ approvals, authors }: Decision.Settings): string =>
  `${approvals ? "another person approves each" : "nobody has to approve them"}${
    authors === "token" ? ", and authors show a token" : ""
  }`

const about = (body: Decision.Body): string => {
  if (body.kind === "revoke" || body.kind === "approve") return `decision ${body.decision}`
  if (body.kind === "setting") return settings(body)
  const what = body.kind === "accept" ? `${body.code}${body.provisional === true ? ", not final," : ""} of ` : ""
  return `${what}${named(body.entries)}`
}

/** What became of it after it was decided; nothing where it holds and nobody had to approve it. */
const standing = (decision: Decision.Decision): string => {
  const { approvedBy, revokedBy } = decision
  const parts = [
    ...(Decision.isProposed(decision) ? ["proposed"] : []),
    ...(approvedBy === undefined ? [] : [`approved by ${approvedBy}`]),
    ...(revokedBy === undefined ? [] : [`revoked by ${revokedBy}`])
  ]
  return parts.length === 0 ? "" : `[${parts.join(", ")}]`
}

const why = (decision: Decision.Decision): string => {
  const { body } = decision
  const reason = Decision.isFollowed(body) ? `${body.reason}: ${body.words}` : body.words ?? ""
  return [reason, standing(decision)].filter((text) => text !== "").join(" ")
}

/** `decision 3, exclude transfer 7 (1.5 BTC), test: a test of ours`. */
export const sentence = (decision: Decision.Decision): string =>
  Text.plain(
    [`decision ${decision.body.number}, ${decision.body.kind} ${about(decision.body)}`, why(decision)]
      .filter((text) => text !== "").join(", ")
  )

/** Names approvals that count for nothing: an earlier version took two spellings of one name for two persons. */
export const ofOneself = (decisions: ReadonlyArray<Decision.Decision>): ReadonlyArray<string> =>
  Decision.approvalsOfOneself(decisions).map(({ approval, target }) =>
    Text.plain(
      `decision ${target.body.number} still waits for another person: approval ${approval.body.number} is by ` +
        `"${approval.body.by}", and it was proposed by "${target.body.by}"`
    )
  )

const row = (decision: Decision.Decision, { minute }: ZonedTimes.ZonedTimes): ReadonlyArray<string> => {
  const { body } = decision
  return [String(body.number), minute(body.at), author(body), body.kind, about(body), why(decision)].map(Text.plain)
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

/** What the ledger keeps of a decision, with its id and what became of it. */
export const told = ({ body, ...standing }: Decision.Decision) => ({ ...standing, ...body })

/**
 * An array of what the ledger keeps, each with its id and the numbers of what approved it and of what took it back, where something did.
 * What answers an act says also that it was made already, where it was.
 */
export const json = (decisions: ReadonlyArray<Decision.Decision>): string =>
  `${SafeJson.stringify(decisions.map(told), 2)}\n`
