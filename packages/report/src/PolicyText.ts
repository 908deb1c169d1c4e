/**
 * A policy in words: what it allows, setting by setting, with what the file says and what is a default.
 *
 * Every setting appears, and two policies that differ in a setting have different texts, so that what was read is what is
 * in force.
 */
import * as Policy from "@tallystick/reconcile/Policy"
import type { PolicyIssue } from "@tallystick/reconcile/PolicyError"
import * as Choices from "./internal/policy/Choices.ts"
import * as Lists from "./internal/policy/Lists.ts"
import * as Rules from "./internal/policy/Rules.ts"
import * as Suspicions from "./internal/policy/Suspicions.ts"
import * as Style from "./text/Style.ts"
import * as Text from "./text/Text.ts"

/** Where a value comes from: the file, the defaults, or (inside `per`) the rule that holds for all assets. */
export type Source = "file" | "default" | "general"

/** One setting in words. */
export interface Words {
  /** The key in the file: `window`, `per[0].late`. */
  readonly setting: string
  /** Whole sentences. Names and reasons that strangers may have written carry no control characters. */
  readonly text: ReadonlyArray<string>
}

/** One setting in words, and where each of its values comes from. */
export interface Statement extends Words {
  /** `[{ key: "after", source: "file" }]`; the key is empty for a setting as a whole. */
  readonly sources: ReadonlyArray<{ readonly key: string; readonly source: Source }>
}

const ruleWords = (rule: Policy.Rule, reference: Policy.Resolved["reference"]): ReadonlyArray<Words> => {
  const { late, tolerance, window } = Rules.rule(rule, reference)
  return [
    { setting: "window", text: window },
    { setting: "late", text: late },
    { setting: "tolerance", text: tolerance }
  ]
}

const perWords = ({ per, reference }: Policy.Resolved): ReadonlyArray<Words> =>
  per.flatMap((rule, index) =>
    [
      ...ruleWords(rule, reference),
      { setting: "ambiguity.residual", text: [Choices.noise(rule.ambiguity.residual)] }
    ].map(({ setting, text }) => ({
      setting: `per[${index}].${setting}`,
      text: text.map((sentence, at) => (at === 0 ? `${Rules.whom(rule)}: ${sentence}` : sentence))
    }))
  )

/** Every setting in words, in the order of the documentation. */
export const words = (policy: Policy.Resolved): ReadonlyArray<Words> => [
  ...ruleWords(policy, policy.reference),
  { setting: "lagFrom", text: Choices.lagFrom(policy.lagFrom) },
  { setting: "fees", text: Rules.fees(policy.fees) },
  {
    setting: "per",
    text: [
      policy.per.length === 0
        ? "No asset has rules of its own."
        : `${
          Text.counted(policy.per.length, "rule")
        } for single assets; the first that names a deposit's asset (and network) holds.`
    ]
  },
  ...perWords(policy),
  { setting: "grouping", text: Choices.grouping(policy.grouping) },
  { setting: "ambiguity", text: Choices.ambiguity(policy.ambiguity) },
  { setting: "reference", text: Choices.reference(policy.reference) },
  { setting: "assets", text: Lists.aliases(policy.assets) },
  { setting: "flows", text: Lists.flows(policy.flows) },
  { setting: "statuses.deposit", text: [Lists.statuses("Deposits", policy.statuses.deposit)] },
  { setting: "statuses.transfer", text: [Lists.statuses("Transfers", policy.statuses.transfer)] },
  { setting: "minAmount", text: Lists.minAmount(policy.minAmount) },
  { setting: "exclude", text: Lists.exclude(policy.exclude) },
  { setting: "links", text: Lists.links(policy.links) },
  { setting: "forbid", text: Lists.forbid(policy.forbid) }
]

const keys: Readonly<Record<string, ReadonlyArray<string>>> = {
  window: ["before", "after"],
  tolerance: ["absolute", "relative", "base", "inclusive", "maxShare"],
  grouping: ["manyToOne", "oneToMany", "maxSize", "maxRun"],
  ambiguity: ["mode", "ratio", "rivals", "residual"],
  assets: ["aliases"],
  "statuses.deposit": ["settled", "pending", "failed"],
  "statuses.transfer": ["settled", "pending", "failed"]
}

/** What the file says under each setting. */
const writtenOf = (policy: Policy.Policy): Readonly<Record<string, unknown>> => {
  const { ambiguity, per = [], statuses } = policy
  return {
    ...policy,
    ambiguity: typeof ambiguity === "string" ? { mode: ambiguity } : ambiguity,
    "statuses.deposit": statuses?.deposit,
    "statuses.transfer": statuses?.transfer,
    ...Object.fromEntries(
      per.flatMap((rule, index) =>
        [
          ["window", rule.window] as const,
          ["late", rule.late] as const,
          ["tolerance", rule.tolerance] as const,
          ["ambiguity.residual", rule.ambiguity?.residual] as const
        ].map(([key, value]) => [`per[${index}].${key}`, value])
      )
    )
  }
}

/** Every setting of a policy as its file writes it, in words and with its sources. The policy must have been decoded. */
export const describe = (policy: Policy.Policy): ReadonlyArray<Statement> => {
  const written = writtenOf(policy)
  return words(Policy.resolve(policy)).map(({ setting, text }) => {
    const value = written[setting]
    const [rule, key = setting] = setting.split("].")
    const otherwise: Source = rule === setting ? "default" : "general"
    const isWritten = (name: string): boolean =>
      typeof value === "object" && value !== null && Object.hasOwn(value, name)
    return {
      setting,
      text,
      sources: keys[key]?.map((name) => ({ key: name, source: isWritten(name) ? "file" : otherwise })) ??
        [{ key: "", source: value === undefined ? otherwise : "file" }]
    }
  })
}

/**
 * What is legal and yet probably not meant, with where it stands: a share that was meant as percent, a rule that is never
 * reached, a decision that another one overrides.
 */
export const warnings = (policy: Policy.Policy): ReadonlyArray<PolicyIssue> => Suspicions.find(policy)

const sourceNames: Readonly<Record<Source, readonly [one: string, several: string]>> = {
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
    const [one, several] = sourceNames[source]
    const named = of(source)
    return present.length === 1 ? one : `${Text.listed(named)} ${named.length === 1 ? one : several}`
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
