/** The steps: entries that a step takes are gone for the next. */
import * as Scene from "./Scene.ts"
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

interface Step {
  readonly codes: ReadonlyArray<string>
  readonly name: string
  readonly words: string
}

const steps: ReadonlyArray<Step> = [
  { codes: ["linked"], name: "linked", words: "by hand: 500 and 499, days apart" },
  { codes: ["reference"], name: "reference", words: "both carry the same key" },
  { codes: ["exact"], name: "exact", words: "75 and 75: equal amounts in the window" },
  { codes: ["tolerant", "fee"], name: "tolerant, fee", words: "40 and 39.995; 2 less a fee of 0.0001" },
  { codes: ["grouped"], name: "grouped", words: "3.1 + 4.4 = 7.5" },
  { codes: ["missing-transfer"], name: "what is left", words: "9, and its whole window was read: missing" }
]

const X = 40
const WIDTH = 190

const outcomes = Scene.outcomes(Scenes.steps)
const total = Scenes.steps.deposits.length + Scenes.steps.transfers.length

const entriesOf = ({ codes }: Step): number =>
  outcomes.filter(({ code }) => codes.includes(code))
    .reduce((sum, { deposits, transfers }) => sum + deposits.length + transfers.length, 0)

const rows = steps.reduce<{ readonly open: number; readonly drawn: ReadonlyArray<string> }>(
  ({ drawn, open }, step, index) => {
    const y = 70 + index * 48
    const taken = entriesOf(step)
    const isLast = index === steps.length - 1
    const bar = open / total * WIDTH
    return {
      open: open - taken,
      drawn: [
        ...drawn,
        Svg.band(X, y, bar, 30, isLast ? "break" : "deposit"),
        Svg.text(X + 8, y + 20, `${open} open`, { size: 12.5, tone: "muted" }),
        Svg.line([X + WIDTH + 10, y + 15], [X + WIDTH + 40, y + 15], isLast ? "break" : "match"),
        Svg.text(X + WIDTH + 50, y + 20, step.name, { strong: true, tone: isLast ? "break" : "match" }),
        Svg.text(X + WIDTH + 170, y + 20, `${taken}`, { strong: true, anchor: "end" }),
        Svg.text(X + WIDTH + 185, y + 20, step.words, { tone: "muted", size: 12.5 })
      ]
    }
  },
  { open: total, drawn: [] }
)

export const order = Svg.picture(
  [790, 360],
  {
    title: "The steps of matching",
    description: steps.map((step) => `${step.name}: ${entriesOf(step)} entries (${step.words})`).join("; ")
  },
  Svg.text(24, 32, `The steps, on ${total} entries: what one settles is gone for the next`, { strong: true, size: 15 }),
  Svg.text(X + WIDTH + 170, 56, "entries", { tone: "muted", anchor: "end", size: 12 }),
  ...rows.drawn
)
