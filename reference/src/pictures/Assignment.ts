/** Shows why it is wrong to take the nearest pair first. */
import * as Lanes from "./Lanes.ts"
import * as Scenes from "./Scenes.ts"
import * as Svg from "./Svg.ts"

const shared = { scene: Scenes.nearest, y: 78, width: 300, from: -6, to: 80 }

export const assignment = Svg.picture(
  [790, 276],
  {
    title: "The nearest pair first, and as many pairs as possible",
    description:
      "Two deposits and two transfers of equal amount. Whoever takes the nearest pair first leaves one deposit and one " +
      "transfer alone. As many pairs as possible: both deposits have their transfer."
  },
  Svg.text(24, 32, "Equal amounts, and a window of one hour", { strong: true, size: 15 }),
  Svg.text(30, 66, "the nearest pair first", { tone: "break" }),
  ...Lanes.draw({
    ...shared,
    x: 30,
    links: [{ deposit: "d2", transfer: "t1", tone: "break" }],
    alone: ["d1", "t2"]
  }),
  Svg.lines(30, 224, [
    "d2 takes t1, 5 minutes later.",
    "t2 is 70 minutes from d1: out of its window.",
    "The two look late, and are not."
  ], { tone: "muted" }),
  Svg.text(440, 66, "as many pairs as possible", { tone: "match" }),
  ...Lanes.draw({ ...shared, x: 440, links: Lanes.linksOf(Scenes.nearest) }),
  Svg.lines(440, 224, [
    "d1 and t1 are 45 minutes apart, d2 and t2 30.",
    "No other pairing accounts for as many entries:",
    "both pairs are forced."
  ], { tone: "muted" }),
  ...Lanes.legend(610, 34)
)
