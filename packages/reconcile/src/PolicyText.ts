/**
 * A policy in words: what it allows, setting by setting, with what the file says and what is a default.
 *
 * Every setting appears, and two policies that differ in a setting have different texts, so that what was read is what is
 * in force.
 */
import * as Suspicions from "./internal/policy/Suspicions.ts"
import * as Choices from "./internal/policy/text/Choices.ts"
import * as Lists from "./internal/policy/text/Lists.ts"
import * as Rules from "./internal/policy/text/Rules.ts"
import * as Policy from "./Policy.ts"
import type { PolicyIssue } from "./PolicyError.ts"
import * as Style from "./render/Style.ts"
import * as Text from "./render/Text.ts"

/** Where a value comes from: the file, the defaults, or (inside `per`) the rule that holds for all assets. */
export type Source = "file" | "default" | "general"

/** One setting in words. */
export interface Statement {
  /** The key in the file: `window`, `per[0].late`. */
  readonly setting: string
  /** Whole sentences. Names and reasons that strangers may have written carry no control characters. */
  readonly text: ReadonlyArray<string>
  /** Where each value of the setting comes from: `[{ key: "after", source: "file" }]`; the key is empty for the whole. */
  readonly sources: ReadonlyArray<{ readonly key: string; readonly source: Source }>
}

const leaves = {
  window: ["before", "after"],
  tolerance: ["absolute", "relative", "base", "inclusive", "maxShare"],
  grouping: ["manyToOne", "oneToMany", "maxSize", "maxRun"],
  ambiguity: ["mode", "ratio", "rivals"],
  assets: ["aliases"],
  codes: ["settled", "pending", "failed"]
} as const

/** Each key of an object that may be absent: from the file where it is there. */
const each = (keys: ReadonlyArray<string>, written: object | undefined, otherwise: Source): Statement["sources"] =>
  keys.map((key) => ({ key, source: written !== undefined && Object.hasOwn(written, key) ? "file" : otherwise }))

const whole = (written: unknown, otherwise: Source = "default"): Statement["sources"] => [
  { key: "", source: written === undefined ? otherwise : "file" }
]

type Rule = Pick<Policy.Policy, "window" | "late" | "tolerance">

const ruleStatements = (
  prefix: string,
  written: Rule,
  rule: Policy.Rule,
  otherwise: Source
): ReadonlyArray<Statement> => {
  const { late, tolerance, window } = Rules.rule(rule)
  return [
    { setting: `${prefix}window`, text: window, sources: each(leaves.window, written.window, otherwise) },
    { setting: `${prefix}late`, text: late, sources: whole(written.late, otherwise) },
    { setting: `${prefix}tolerance`, text: tolerance, sources: each(leaves.tolerance, written.tolerance, otherwise) }
  ]
}

const perStatements = ({ per: written = [] }: Policy.Policy, { per }: Policy.Resolved): ReadonlyArray<Statement> =>
  per.flatMap((rule, index) => {
    const own = ruleStatements(`per[${index}].`, written[index] ?? {}, rule, "general")
    const whom = Rules.whom(rule)
    return own.map(({ setting, sources, text }) => ({
      setting,
      sources,
      text: text.map((sentence, at) => (at === 0 ? `${whom}: ${sentence}` : sentence))
    }))
  })

/** Every setting of a policy in words, in the order of the file's documentation. The policy must have been decoded. */
export const describe = (policy: Policy.Policy): ReadonlyArray<Statement> => {
  const resolved = Policy.resolve(policy)
  const { ambiguity } = policy
  const { deposit, transfer } = resolved.statuses
  return [
    ...ruleStatements("", policy, resolved, "default"),
    { setting: "fees", text: Rules.fees(resolved.fees), sources: whole(policy.fees) },
    {
      setting: "per",
      text: [
        resolved.per.length === 0
          ? "No asset has rules of its own."
          : `${
            Text.counted(resolved.per.length, "rule")
          } for single assets; the first that names a deposit's asset (and network) holds.`
      ],
      sources: whole(policy.per)
    },
    ...perStatements(policy, resolved),
    {
      setting: "grouping",
      text: Choices.grouping(resolved.grouping),
      sources: each(leaves.grouping, policy.grouping, "default")
    },
    {
      setting: "ambiguity",
      text: Choices.ambiguity(resolved.ambiguity),
      sources: each(leaves.ambiguity, typeof ambiguity === "string" ? { mode: ambiguity } : ambiguity, "default")
    },
    { setting: "reference", text: Choices.reference(resolved.reference), sources: whole(policy.reference) },
    {
      setting: "assets",
      text: Lists.aliases(resolved.assets),
      sources: each(leaves.assets, policy.assets, "default")
    },
    { setting: "flows", text: Lists.flows(resolved.flows), sources: whole(policy.flows) },
    {
      setting: "statuses.deposit",
      text: [Lists.statuses("Deposits", deposit)],
      sources: each(leaves.codes, policy.statuses?.deposit, "default")
    },
    {
      setting: "statuses.transfer",
      text: [Lists.statuses("Transfers", transfer)],
      sources: each(leaves.codes, policy.statuses?.transfer, "default")
    },
    { setting: "minAmount", text: Lists.minAmount(resolved.minAmount), sources: whole(policy.minAmount) },
    { setting: "exclude", text: Lists.exclude(resolved.exclude), sources: whole(policy.exclude) },
    { setting: "links", text: Lists.links(resolved.links), sources: whole(policy.links) },
    { setting: "forbid", text: Lists.forbid(resolved.forbid), sources: whole(policy.forbid) }
  ]
}

/**
 * What is legal and yet probably not meant, with where it stands: a share that was meant as percent, a rule that is never
 * reached, a decision that another one overrides.
 */
export const warnings = (policy: Policy.Policy): ReadonlyArray<PolicyIssue> => Suspicions.find(policy)

const names: Readonly<Record<Source, readonly [one: string, several: string]>> = {
  file: ["from the file", "from the file"],
  default: ["default", "defaults"],
  general: ["as for all assets", "as for all assets"]
}

/** `from the file`, `default`, or `after from the file; before default`. */
export const sourceText = ({ sources }: Statement): string => {
  const of = (source: Source): ReadonlyArray<string> =>
    sources.filter((one) => one.source === source).map(({ key }) => key)
  const present = (["file", "default", "general"] as const).filter((source) => of(source).length > 0)
  return present.map((source) => {
    const [one, several] = names[source]
    const keys = of(source)
    if (present.length === 1) return one
    return `${Text.listed(keys)} ${keys.length === 1 ? one : several}`
  }).join("; ")
}

export interface Options {
  /** Cells of a line; default 100, at least 60. Names and ids are never cut, and may reach beyond it. */
  readonly width?: number | undefined
  /** Whether to colour; default no. */
  readonly color?: boolean | undefined
}

const INDENT = "  "

/**
 * The policy as a text for a terminal: each setting with its sources, and below it what it means. What `per` takes over
 * from the rule for all assets is not told again. Ends in a line break.
 */
export const render = (policy: Policy.Policy, { color = false, width = 100 }: Options = {}): string => {
  const style = color ? Style.colored : Style.none
  const cells = Math.max(60, width)
  const isInherited = ({ sources }: Statement): boolean => sources.every(({ source }) => source === "general")
  const heading = (statement: Statement): string =>
    `${style.strong(statement.setting)} ${style.faint(`(${sourceText(statement)})`)}`
  const body = (statement: Statement): ReadonlyArray<string> =>
    isInherited(statement) ? [] : statement.text.flatMap((sentence) => Text.paragraph(INDENT, sentence, cells))
  const lines = describe(policy).flatMap((statement) => [[heading(statement)], body(statement)]).flat()
  return `${lines.join("\n")}\n`
}
