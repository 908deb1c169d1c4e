/** Words that several pages say: states, worths and differences. */
import * as Amount from "@tallystick/core/Amount"
import * as DifferenceText from "../../text/DifferenceText.ts"
import * as Text from "../../text/Text.ts"
import * as Titles from "../../Titles.ts"
import * as FigureText from "../content/FigureText.ts"
import type { Bound, Code, Difference, Entry, Item, Look, State } from "./Facts.ts"
import { html, type Markup } from "./Markup.ts"

const states: Readonly<Record<State, readonly [words: string, tone: "bad" | "doubtful" | "good"]>> = {
  open: ["open", "bad"],
  pending: ["pending", "doubtful"],
  undetermined: ["not decidable", "doubtful"],
  matched: ["settled: matched", "good"],
  decided: ["settled: decided", "good"],
  out: ["settled: out of the books", "good"]
}

/** Says where something stands. */
export const state = (state: State): string => states[state][0]

/** Says it on a ground of its own. */
export const tag = (state: State): Markup => html`<span class="tag ${states[state][1]}">${states[state][0]}</span>`

/** Names a code with its title. */
export const code = (code: Code): string =>
  code === "gone" ? "entry of which no run tells any more" : Titles.title(code, 1)

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/** The same as the beginning of a sentence. */
export const title = (of: Code): string => sentence(code(of))

const unit = ({ currency }: Look): string => currency === undefined ? "" : ` ${currency}`

/** Writes a worth for a glance, to two decimals; the exact one is a title away. */
export const worth = (exact: string, bound: Bound, look: Look): string =>
  `${FigureText.glance(exact, bound === "mixed" ? "about" : bound)}${unit(look)}`

/** Writes a worth exactly. */
export const exactWorth = (exact: string, bound: Bound, look: Look): string =>
  `${bound === "exact" ? "" : `${bound === "mixed" ? "about" : bound} `}${Amount.canonical(exact)}${unit(look)}`

/** Writes a difference; empty where there is none to speak of. */
export const difference = (one: Difference | undefined): string =>
  one === undefined ? "" : DifferenceText.of({ asset: one.asset, difference: one }, Text.plain)

/** Shortens an id in its middle. */
export const shortId = (id: string): string => id.length > 28 ? `${id.slice(0, 8)}…${id.slice(-8)}` : id

/** `1.5 BTC of sub1`. */
export const amount = ({ account, amount, asset }: Entry): string =>
  `${amount} ${asset}${account === undefined ? "" : ` of ${account}`}`

/** `deposit of 1.5 BTC of sub1 and 2 more entries`. */
export const entries = ({ deposits, first, transfers }: Item): string => {
  const more = deposits + transfers - 1
  return `${first.side}, ${amount(first)}${more > 0 ? ` and ${Text.counted(more, "more entry", "more entries")}` : ""}`
}
