/** Puts the lists of a policy in words: which entries take part, which names are equal, and what was decided by hand. */
import * as Amount from "@tallystick/core/Amount"
import type * as Policy from "@tallystick/reconcile/Policy"
import * as Text from "../../text/Text.ts"
import { named, quoted } from "./Words.ts"

type Sentences = ReadonlyArray<string>

const orElse = (
  sentences: Sentences,
  otherwise: string
): Sentences => (sentences.length === 0 ? [otherwise] : sentences)

export const aliases = ({ aliases }: Policy.Resolved["assets"]): Sentences =>
  orElse(
    aliases.map((names) =>
      names.length > 1
        ? `${Text.listed(names.map(named))} are one asset.`
        : names.length === 1
        ? `${Text.listed(names.map(named))} stands alone in its list, which changes nothing.`
        : "A list is empty, which changes nothing."
    ),
    "An asset matches only the very same name."
  )

const end = (name: string): string =>
  name === "*" ? "any sub-account" : name === "master" ? "the master account" : `account ${named(name)}`

const flow = ({ from, to, types }: Policy.Resolved["flows"][number]): string => {
  const pairs = types?.map(([from, to]) => `${named(from)} to ${named(to)}`)
  return `from ${end(from)} to ${end(to)}${
    pairs === undefined
      ? ""
      : pairs.length === 0
      ? ", of no type (so none at all)"
      : `, of type ${Text.listed(pairs, "or")}`
  }`
}

export const flows = (flows: Policy.Resolved["flows"]): Sentences => [
  ...flows.map((one) => `A transfer counts as the counterpart of a deposit when it goes ${flow(one)}.`),
  "Any other settled transfer is set aside as out of flow."
]

/** Writes the statuses of one side. */
export const statuses = (
  side: "Deposits" | "Transfers",
  { failed, pending, settled }: Policy.Resolved["statuses"]["deposit"]
): string => {
  const codes = (list: ReadonlyArray<string | number>): string =>
    list.length === 0 ? "no status" : `status ${Text.listed(list.map((code) => named(String(code))), "or")}`
  return `${side} are settled with ${codes(settled)}, pending with ${codes(pending)}, failed with ${
    codes(failed)
  }; any other status is unknown.`
}

export const minAmount = (least: Policy.Resolved["minAmount"]): Sentences =>
  orElse(
    Object.entries(least).map(([asset, amount]) =>
      `Below ${Amount.canonical(amount)} ${named(asset)}, an entry is set aside.`
    ),
    "No amount is too small to be looked at."
  )

const because = (reason: string | undefined): string => (reason === undefined ? "" : `: ${quoted(reason)}`)

const saidBy = (by: string | undefined): string => (by === undefined ? "" : `, says ${quoted(by)}`)

export const exclude = (exclusions: Policy.Resolved["exclude"]): Sentences =>
  orElse(
    exclusions.map(({ by, id, reason, side }) =>
      `${side === undefined ? "Deposit and transfer" : side === "deposit" ? "Deposit" : "Transfer"} ${quoted(id)} ${
        side === undefined ? "are" : "is"
      } left out${saidBy(by)}${because(reason)}.`
    ),
    "No entry is left out by hand."
  )

const several = (side: "deposit" | "transfer", ids: ReadonlyArray<string>): string =>
  `${side}${ids.length === 1 ? "" : "s"} ${Text.listed(ids.map(quoted))}`

export const links = (links: Policy.Resolved["links"]): Sentences =>
  orElse(
    links.map(({ by, deposits, reason, transfers }) =>
      `${several("deposit", deposits)} and ${several("transfer", transfers)} belong together${saidBy(by)}${
        because(reason)
      }.`.replace(/^d/, "D")
    ),
    "No entries are linked by hand."
  )

export const forbid = (forbidden: Policy.Resolved["forbid"]): Sentences =>
  orElse(
    forbidden.map(({ by, deposit, reason, transfer }) =>
      `Deposit ${quoted(deposit)} and transfer ${quoted(transfer)} never match${saidBy(by)}${because(reason)}.`
    ),
    "No pair is forbidden."
  )
