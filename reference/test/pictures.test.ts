/** What the pictures say is what the engine says of the same numbers. */
import { assert, describe, it } from "@effect/vitest"
import * as Lanes from "../src/pictures/Lanes.ts"
import { files } from "../src/pictures/Pictures.ts"
import * as Scene from "../src/pictures/Scene.ts"
import * as Scenes from "../src/pictures/Scenes.ts"
import * as Svg from "../src/pictures/Svg.ts"

describe("the pictures of matching", () => {
  it.each(Scenes.placed.transfers)("a transfer of $amount after $at minutes is $code", ({ code, ...transfer }) => {
    const { policy } = Scenes.placed
    const found = Scene.summary({ policy, deposits: [Scene.mark("d", 0, "100")], transfers: [transfer] })
    assert.include(found.map((line) => line.split(" ")[0]), code)
    assert.isAtMost(found.length, code === "missing-deposit" ? 2 : 1)
  })

  it.each(
    [
      ["nearest", Scenes.nearest, ["exact d1 t1 (forced)", "exact d2 t2 (forced)"]],
      ["forced", Scenes.forced, ["exact d1 t1 (forced)", "exact d2 t2 (forced)"]],
      ["byTime", Scenes.byTime, ["ambiguous d1", "exact d2 t1 (time)"]],
      ["classOfTwo", Scenes.classOfTwo, ["class-balanced d1 d2 t1 t2"]],
      ["sweep", Scenes.sweep, ["grouped d1 d2 d3 t1 (forced)"]],
      ["split", Scenes.split, ["grouped d1 t1 t2 (forced)"]],
      ["twoSets", Scenes.twoSets, [1, 2, 3, 4].map((n) => `split-ambiguous d${n}`).concat("split-ambiguous t1")],
      ["seen", Scenes.seen, ["missing-transfer d1"]],
      ["gap", Scenes.gap, ["coverage-gap d1"]],
      ["young", Scenes.young, ["in-flight d1"]],
      ["steps", Scenes.steps, [
        "linked d-link t-link (link)",
        "reference d-ref t-ref (reference)",
        "exact d-exact t-exact (forced)",
        "tolerant d-near t-near (forced)",
        "fee d-fee t-fee (forced)",
        "grouped d-part-1 d-part-2 t-whole (forced)",
        "missing-transfer d-alone"
      ]]
    ] as const
  )("%s is as it is drawn and told", (_, scene, expected) => {
    assert.deepStrictEqual<ReadonlyArray<string>>(Scene.summary(scene), expected)
  })

  it("whoever takes the nearest pair first leaves two entries that look late", () => {
    const { deposits, transfers } = Scenes.nearest
    const left = {
      deposits: deposits.filter(({ id }) => id !== "d2"),
      transfers: transfers.filter(({ id }) => id !== "t1")
    }
    assert.deepStrictEqual(Scene.summary(left), ["late d1 t2"])
  })

  it("the parts of a sum that two sets make up are no group", () => {
    assert.deepStrictEqual(Lanes.linksOf(Scenes.twoSets), [])
    assert.strictEqual(Lanes.linksOf(Scenes.classOfTwo).length, 4)
  })

  it("each says in words what it shows, needs nothing from elsewhere, and is there for light and for dark", () => {
    assert.strictEqual(files.length, 6)
    for (const { text } of files) {
      assert.match(text, /<title id="title">[^<]+<\/title>\n<desc id="description">[^<]+<\/desc>/)
      assert.include(text, "prefers-color-scheme:dark")
      assert.notMatch(text.replace("http://www.w3.org/2000/svg", ""), /https?:|url\(|@import|<script|<image|href/)
      assert.notInclude(text, "NaN")
    }
  })

  it("words that look like markup stay words", () => {
    assert.include(Svg.text(0, 0, "<b> & \"c\""), ">&lt;b&gt; &amp; &quot;c&quot;<")
  })
})
