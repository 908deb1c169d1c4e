/** Reads the text format of Prometheus as strictly as Prometheus does. */
import { assert } from "@effect/vitest"

const NAME = "[a-zA-Z_:][a-zA-Z0-9_:]*"
const SAMPLE = new RegExp(
  String
    .raw`^(${NAME})(\{(?:[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*",?)*\})? (-?[\d.]+(?:e[+-]?\d+)?|[+-]Inf|NaN)$`
)

export interface Family {
  readonly type: string
  readonly help: string
  /** What stands behind the name, its labels in braces, and the value. */
  readonly samples: ReadonlyMap<string, number>
}

const familyOf = (name: string, type: string | undefined): string =>
  type === "histogram" ? name.replace(/_(?:bucket|sum|count)$/, "") : name

/** Gives each family by its name, and fails where a line is none, a family comes twice, or a sample stands outside of its family. */
export const read = (text: string): ReadonlyMap<string, Family> => {
  const families = new Map<string, Family & { readonly samples: Map<string, number> }>()
  let [name, help] = ["", ""]
  assert.isTrue(text === "" || text.endsWith("\n"))
  for (const line of text.split("\n").slice(0, -1)) {
    const [, kind, about, rest = ""] = new RegExp(`^# (HELP|TYPE) (${NAME}) (.*)$`).exec(line) ?? []
    if (kind === "HELP") {
      help = rest
    } else if (kind === "TYPE" && about !== undefined) {
      assert.isFalse(families.has(about), `${about} comes twice`)
      name = about
      families.set(name, { type: rest, help, samples: new Map() })
      help = ""
    } else {
      const [, sample = "", labels = "", value = ""] = SAMPLE.exec(line) ?? []
      const family = families.get(name)
      assert.strictEqual(familyOf(sample, family?.type), name, line)
      const key = sample.slice(name.length) + labels
      assert.isFalse(family?.samples.has(key), `${line} comes twice`)
      family?.samples.set(key, Number(value.replace("Inf", "Infinity")))
    }
  }
  return families
}

/** What stands in a text, but for the samples of histograms. */
export const samples = (text: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Array.from(read(text)).flatMap(([name, { samples, type }]) =>
      type === "histogram" ? [] : Array.from(samples, ([labels, value]) => [name + labels, value])
    )
  )
