/** Shows the difference between missing and not to be seen. */
import type { Read, Scene } from "./Scene.ts"
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

const LEFT = 230
const WIDTH = 320
const [FROM, TO] = [-12, 76]

const at = (minutes: number): number => LEFT + (Math.min(Math.max(minutes, FROM), TO) - FROM) / (TO - FROM) * WIDTH

const states: Readonly<Record<Read["state"], readonly [Svg.Tone, string]>> = {
  complete: ["match", "read"],
  incomplete: ["break", "not read"],
  open: ["doubt", "too young"]
}

const bar = (y: number) => ({ from, state, to }: Read): string => {
  const [tone, words] = states[state]
  const [left, right] = [at(from), at(to)]
  return [
    Svg.band(left, y, right - left, 20, tone),
    ...(right - left > 50 ? [Svg.text((left + right) / 2, y + 14, words, { tone, anchor: "middle", size: 11.5 })] : [])
  ].join("")
}

const row = (
  y: number,
  { read = [{ from: FROM, to: TO, state: "complete" }] }: Scene,
  words: ReadonlyArray<string>,
  code: string,
  tone: Svg.Tone
): ReadonlyArray<string> => [
  Svg.lines(24, y + 2, words, { size: 12.5, tone: "muted" }),
  Svg.band(at(-1), y - 18, at(60) - at(-1), 62, "deposit"),
  ...read.map(bar(y + 12)),
  Svg.deposit(at(0), y - 4),
  Svg.text(580, y + 16, code, { tone, strong: true })
]

export const coverage = Svg.picture(
  [790, 362],
  {
    title: "Missing, or not to be seen",
    description:
      "One deposit without a transfer, three times. The whole window was read: missing. A part was not read: coverage gap. " +
      "The window ends where records are too young to be complete: in flight."
  },
  Svg.text(24, 32, "A deposit without a transfer: what is said depends on what was read", { strong: true, size: 15 }),
  Svg.text(at(30), 66, "the window of the deposit", { tone: "deposit", anchor: "middle", size: 12 }),
  ...row(100, Scenes.seen, ["All transfers of its window", "were read."], "missing-transfer", "break"),
  ...row(188, Scenes.gap, ["A page in its window", "could not be read."], "coverage-gap", "doubt"),
  ...row(276, Scenes.young, ["Its window is not over, or ends", "later than what is settled."], "in-flight", "doubt"),
  Svg.line([at(35), 256], [at(35), 326], "doubt", "4 3"),
  Svg.text(at(35) + 6, 344, "settle edge: now less 2 minutes", { tone: "doubt", size: 12 }),
  Svg.text(580, 134, "Only this is called missing.", { tone: "muted", size: 12.5 }),
  Svg.text(580, 222, "Waiting will not help.", { tone: "muted", size: 12.5 }),
  Svg.text(580, 310, "The next run knows more.", { tone: "muted", size: 12.5 })
)
