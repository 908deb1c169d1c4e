import { assert, describe, it } from "@effect/vitest"
import * as Latest from "../src/internal/paging/Latest.ts"

interface Row {
  readonly id: string
  readonly status: string
}

const row = (id: string, status: string): Row => ({ id, status })
const make = () => Latest.make<Row>(({ id }) => id)

describe("the latest contents of records that wait", () => {
  it("go out in place of those that were read first", () => {
    const latest = make()
    latest.show([row("a", "pending"), row("b", "pending")])
    latest.show([row("a", "done")])
    assert.deepStrictEqual(latest.take([row("a", "pending"), row("b", "pending")]), [
      row("a", "done"),
      row("b", "pending")
    ])
  })

  it("change no record that was never shown, and no order", () => {
    const latest = make()
    latest.show([row("a", "done")])
    assert.deepStrictEqual(latest.take([row("b", "x"), row("a", "pending")]), [row("b", "x"), row("a", "done")])
  })

  it("of several records of one identity are those of the last response that shows as many", () => {
    const latest = make()
    latest.show([row("a", "pending"), row("a", "done")])
    latest.show([row("a", "done"), row("b", "done"), row("a", "done")])
    latest.show([row("a", "done")])
    const read = [row("a", "pending"), row("a", "done")]
    assert.deepStrictEqual(latest.take(read), [row("a", "done"), row("a", "done")])
  })

  it("are left alone where several records of one identity go out, although no response showed them together", () => {
    const latest = make()
    latest.show([row("a", "done")])
    latest.show([row("a", "pending")])
    const read = [row("a", "done"), row("a", "pending")]
    assert.deepStrictEqual(latest.take(read), read)
  })

  it("are forgotten when they have gone out", () => {
    const latest = make()
    latest.show([row("a", "done")])
    latest.take([row("a", "pending")])
    assert.deepStrictEqual(latest.take([row("a", "pending")]), [row("a", "pending")])
  })
})
