/** Three histories: one is forced, time decides the second, and the third cannot be known. */
import * as Lanes from "./Lanes.ts"
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

const WIDTH = 210

const panel = (
  index: number,
  title: string,
  tone: Svg.Tone,
  scene: Lanes.Lanes["scene"],
  words: ReadonlyArray<string>,
  alone: ReadonlyArray<string> = []
): ReadonlyArray<string> => {
  const x = 30 + index * 258
  return [
    Svg.text(x, 66, title, { tone, strong: true }),
    ...Lanes.draw({
      x,
      y: 78,
      width: WIDTH,
      from: -8,
      to: 56,
      scene,
      links: Lanes.linksOf(scene),
      alone,
      sign: "question"
    }),
    Svg.lines(x, 224, words, { tone: "muted", size: 12.5 })
  ]
}

export const ambiguity = Svg.picture(
  [790, 276],
  {
    title: "Forced, decided by time, and not to be told apart",
    description:
      "Three histories of equal amounts. Forced: every other pairing has fewer pairs. Decided by time: the other candidate " +
      "is more than twice as far away. A class: every pairing is possible, and only their number is a fact."
  },
  Svg.text(24, 32, "Equal amounts: what is a fact", { strong: true, size: 15 }),
  ...panel(0, "forced", "match", Scenes.forced, [
    "t1 came before d2, so it is d1's,",
    "and t2 is left for d2.",
    "No other pairing has two pairs."
  ]),
  ...panel(1, "decided by time", "match", Scenes.byTime, [
    "d1 or d2? d1 is more than twice as",
    "far away: t1 is d2's. That d1 has no",
    "transfer is not said: it is ambiguous."
  ], ["d1"]),
  ...panel(2, "a class", "doubt", Scenes.classOfTwo, [
    "Either transfer may be either's.",
    "That there are two pairs is a fact,",
    "which ones is not: class-balanced."
  ]),
  ...Lanes.legend(610, 34)
)
