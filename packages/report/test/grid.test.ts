import { assert, describe, it } from "@effect/vitest"
import * as Grid from "@tallystick/report/text/Grid"

const columns: ReadonlyArray<Grid.Column> = [
  { title: "RUN", align: "left" },
  { title: "RECORDED", align: "left" },
  { title: "", align: "left" },
  { title: "MATCHED", align: "right" }
]

const rows = [
  ["r1", "2026-11-19 08:30", "clean", "1,234"],
  ["r2", "2026-11-19 09:30", "", "7"]
]

describe("a table", () => {
  it("is as wide as its cells where there is room for them", () => {
    assert.deepStrictEqual(Grid.fitted(columns, rows, 40), {
      header: "RUN  RECORDED                 MATCHED",
      rows: ["r1   2026-11-19 08:30  clean    1,234", "r2   2026-11-19 09:30               7"]
    })
  })

  it("is a paragraph a row where there is none, and breaks no cell", () => {
    assert.deepStrictEqual(Grid.fitted(columns, rows, 30), {
      rows: [
        "r1",
        "  recorded 2026-11-19 08:30,",
        "  clean, matched 1,234",
        "r2",
        "  recorded 2026-11-19 09:30,",
        "  matched 7"
      ]
    })
  })
})
