/** Shows several entries to one: a sweep, a split, and two sets that are equally good. */
import * as Lanes from "./Lanes.ts"
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

const panel = (
  index: number,
  title: string,
  tone: Svg.Tone,
  scene: Lanes.Lanes["scene"],
  links: ReadonlyArray<Lanes.Link>,
  words: ReadonlyArray<string>
): ReadonlyArray<string> => {
  const x = 30 + index * 258
  return [
    Svg.text(x, 66, title, { tone, strong: true }),
    ...Lanes.draw({ x, y: 78, width: 210, from: -6, to: 58, scene, links, amounts: true }),
    Svg.lines(x, 224, words, { tone: "muted", size: 12.5 })
  ]
}

const either = Scenes.twoSets.deposits.map(({ id }): Lanes.Link => ({ deposit: id, transfer: "t1", tone: "doubt" }))

export const groups = Svg.picture(
  [790, 276],
  {
    title: "Groups: a sweep, a split, and a sum that two sets make up",
    description:
      "Deposits of 1, 2.5 and 0.7 are swept by one transfer of 4.2. A deposit of 10 is moved by transfers of 6 and 4. A " +
      "transfer of 3 could be 1 and 2, or 1.3 and 1.7: no group is stated."
  },
  Svg.text(24, 32, "Several to one", { strong: true, size: 15 }),
  ...panel(0, "a sweep: grouped", "match", Scenes.sweep, Lanes.linksOf(Scenes.sweep), [
    "1 + 2.5 + 0.7 = 4.2, and these are",
    "all deposits that the transfer could",
    "be made up of."
  ]),
  ...panel(1, "a split: grouped", "match", Scenes.split, Lanes.linksOf(Scenes.split), [
    "10 = 6 + 4: one deposit,",
    "moved in two parts."
  ]),
  ...panel(2, "two sets: split-ambiguous", "doubt", Scenes.twoSets, either, [
    "1 + 2 = 3, and 1.3 + 1.7 = 3.",
    "Nearness in time decides nothing:",
    "no group, and nothing is missing."
  ]),
  ...Lanes.legend(610, 34)
)
