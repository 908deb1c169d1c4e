import { assert, it } from "@effect/vitest"
import * as Sightings from "../src/internal/paging/Sightings.ts"

interface Payout {
  readonly txId: string
  readonly output: number
}

const payout = (txId: string, output: number): Payout => ({ txId, output })

const make = () => {
  const asked: Array<Payout> = []
  const sightings = Sightings.make<Payout>({
    mark: ({ txId }) => txId,
    identity: (record) => {
      asked.push(record)
      return `${record.txId} ${record.output}`
    }
  })
  return { asked, sightings }
}

it("a record is told apart from others with the same mark, whenever they are seen", () => {
  const { sightings } = make()
  assert.strictEqual(sightings.firstPage(payout("a", 1), 1), 1)
  assert.strictEqual(sightings.firstPage(payout("a", 2), 2), 2)
  assert.strictEqual(sightings.firstPage(payout("a", 3), 3), 3)
  assert.strictEqual(sightings.firstPage(payout("a", 1), 4), 1)
  assert.strictEqual(sightings.firstPage(payout("a", 2), 4), 2)
  assert.strictEqual(sightings.firstPage(payout("a", 3), 4), 3)
})

it("twins of one page were both seen first on it", () => {
  const { sightings } = make()
  assert.strictEqual(sightings.firstPage(payout("a", 1), 2), 2)
  assert.strictEqual(sightings.firstPage(payout("a", 1), 2), 2)
})

it("a text is no record, however much it looks like the mark or the identity of one", () => {
  const { sightings } = make()
  sightings.firstPage(payout("a", 1), 1)
  assert.strictEqual(sightings.firstPageOfText("a", 2), 2)
  assert.strictEqual(sightings.firstPageOfText("a 1", 3), 3)
  assert.strictEqual(sightings.firstPageOfText("a", 4), 2)
})

it("nobody's identity is made while marks differ", () => {
  const { asked, sightings } = make()
  for (const [index, txId] of ["a", "b", "c"].entries()) sightings.firstPage(payout(txId, 1), index + 1)
  assert.deepStrictEqual(asked, [])
})
