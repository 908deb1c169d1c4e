/** The window and the tolerance of one deposit: where its transfer may be, and which outcome it has elsewhere. */
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

const LEFT = 70
const RIGHT = 740
const TOP = 64
const BOTTOM = 300

/** Draws minutes to the right. The first hour is as long as the day after it. */
const stops = [[-4, LEFT], [60, 400], [24 * 60, 640], [30 * 60, RIGHT]] as const

const across = (minutes: number): number => {
  const next = Math.max(1, stops.findIndex(([at]) => at >= minutes))
  const [[from, left], [to, right]] = [stops[next - 1] ?? stops[0], stops[next] ?? stops[3]]
  return left + (minutes - from) / (to - from) * (right - left)
}

/** Draws amounts downwards from 103. The tolerance is drawn eight times as high as it is. */
const down = (amount: number): number => {
  const off = 100 - amount
  const drawn = Math.abs(off) <= 0.5 ? off * 8 : Math.sign(off) * (4 + (Math.abs(off) - 0.5))
  return 130 + drawn * 9
}

const SAID: Readonly<Record<string, readonly [words: string, tone: Svg.Tone]>> = {
  exact: ["exact", "match"],
  tolerant: ["tolerant", "match"],
  "amount-mismatch": ["amount-mismatch", "break"],
  late: ["late", "break"],
  "missing-deposit": ["both are missing", "break"]
}

const point = ({ amount, at, code }: typeof Scenes.placed.transfers[number]): ReadonlyArray<string> => {
  const [words, tone] = SAID[code] ?? [code, "text" as const]
  const [x, y] = [across(at), down(Number(amount))]
  const isLast = at > 24 * 60
  return [
    Svg.transfer(x, y),
    isLast
      ? Svg.text(x, y + 24, words, { tone, anchor: "middle" })
      : Svg.text(x + 12, y + 5, words, { tone })
  ]
}

const tick = (minutes: number, words: string): string =>
  Svg.line([across(minutes), BOTTOM], [across(minutes), BOTTOM + 6], "muted") +
  Svg.text(across(minutes), BOTTOM + 22, words, { tone: "muted", anchor: "middle", size: 12 })

export const window = Svg.picture(
  [790, 350],
  {
    title: "Where the transfer of a deposit may lie",
    description:
      "A deposit of 100 and six transfers by lag and amount. In the window and within the tolerance a transfer is a match; " +
      "in the window with another amount it is an amount mismatch; equal but after the window it is late; else both are missing."
  },
  Svg.text(24, 32, "One deposit of 100, and where a transfer of the same account may lie", { strong: true, size: 15 }),
  Svg.band(across(-1), TOP, across(60) - across(-1), BOTTOM - TOP, "deposit"),
  Svg.band(across(60), down(100) - 12, across(24 * 60) - across(60), 24, "break"),
  Svg.band(across(-1), down(100.5), across(60) - across(-1), down(99.5) - down(100.5), "match"),
  Svg.text(across(30), TOP + 17, "window: 1 minute before to 1 hour after", {
    tone: "deposit",
    anchor: "middle",
    size: 12
  }),
  Svg.text(across(12 * 60), down(100) - 20, "late: 23 hours more, equal amounts or one reference", {
    tone: "break",
    anchor: "middle",
    size: 12
  }),
  Svg.text(LEFT - 10, down(100) + 4, "100", { anchor: "end", tone: "muted", size: 12 }),
  Svg.text(LEFT - 10, down(97) + 4, "97", { anchor: "end", tone: "muted", size: 12 }),
  Svg.text(LEFT - 10, down(88) + 4, "88", { anchor: "end", tone: "muted", size: 12 }),
  Svg.text(LEFT - 10, TOP + 4, "amount", { anchor: "end", tone: "muted", size: 12 }),
  Svg.line([LEFT, TOP], [LEFT, BOTTOM], "muted"),
  Svg.line([LEFT, BOTTOM], [RIGHT + 20, BOTTOM], "muted"),
  tick(0, "deposit"),
  tick(60, "1 hour"),
  tick(24 * 60, "24 hours"),
  Svg.text(RIGHT + 20, BOTTOM + 40, "lag", { tone: "muted", anchor: "end", size: 12 }),
  Svg.text(LEFT, BOTTOM + 40, "green: the tolerance, here 0.5 either way; drawn larger than it is", {
    tone: "muted",
    size: 12
  }),
  Svg.deposit(across(0), down(100)),
  ...Scenes.placed.transfers.flatMap(point)
)
