/** Puts each setting of a policy in words, and says which of its values come from the file and which are defaults. */
import * as Policy from "@tallystick/reconcile/Policy"
import * as Text from "../../text/Text.ts"
import * as Choices from "./Choices.ts"
import * as Lists from "./Lists.ts"
import * as Rules from "./Rules.ts"

/** The source of a value: the file, the defaults, or (inside `per`) the rule that holds for all assets. */
type Source = "file" | "default" | "general"

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

/** Puts every setting in words, in the order of the documentation. */
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

/** Finds the keys that the file has under each setting. */
const writtenOf = (policy: Policy.Decoded): Readonly<Record<string, unknown>> => {
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

/** Puts every setting of a policy in words as its file writes it, with its sources. The policy must have been decoded. */
export const describe = (policy: Policy.Decoded): ReadonlyArray<Statement> => {
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

const sourceNames: Readonly<Record<Source, readonly [one: string, several: string]>> = {
  file: ["from the file", "from the file"],
  default: ["default", "defaults"],
  general: ["as for all assets", "as for all assets"]
}

/** Names the sources: `from the file`, `default`, or `after from the file; before default`. */
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
