/**
 * A policy in words: what it allows, setting by setting, with what the file says and what is a default.
 *
 * Every setting appears, and two policies that differ in a setting have different texts. So the text shows exactly the policy
 * that is in force.
 */
import type * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyIssue } from "@tallystick/reconcile/PolicyError"
import * as Statements from "./internal/policy/Statements.ts"
import * as Suspicions from "./internal/policy/Suspicions.ts"
import * as Style from "./text/Style.ts"
import * as Text from "./text/Text.ts"

/**
 * Returns warnings about parts of a policy that are legal but probably not meant, with their places: a share that was meant as
 * percent, a rule that is never reached, a decision that another one overrides.
 */
export const warnings = (policy: Policy.Decoded): ReadonlyArray<PolicyIssue> => Suspicions.find(policy)

interface Options {
  /** The width of a line in cells; default 100, at least 60. Names and ids are never cut, and may be wider. */
  readonly width?: number | undefined
  /** Whether to use colours; default no. */
  readonly color?: boolean | undefined
}

const INDENT = "  "

/**
 * Returns the policy as a text for a terminal: each setting with its sources, and its meaning below. Values that `per` takes
 * over from the rule for all assets are not repeated. The text ends in a line break.
 */
export const render = (policy: Policy.Decoded, { color = false, width = 100 }: Options = {}): string => {
  const style = color ? Style.colored : Style.none
  const cells = Math.max(60, width)
  const isInherited = ({ sources }: Statements.Statement): boolean =>
    sources.every(({ source }) => source === "general")
  const heading = (statement: Statements.Statement): string =>
    `${style.strong(statement.setting)} ${style.faint(`(${Statements.sourceText(statement)})`)}`
  const body = (statement: Statements.Statement): ReadonlyArray<string> =>
    isInherited(statement) ? [] : statement.text.flatMap((sentence) => Text.paragraph(INDENT, sentence, cells))
  const lines = Statements.describe(policy).flatMap((statement) => [[heading(statement)], body(statement)]).flat()
  return `${lines.join("\n")}\n`
}
