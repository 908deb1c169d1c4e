/** Records around a moment are found as far as is told, however many there are. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import * as Schema from "effect/Schema"
import * as Archive from "../src/Archive.ts"
import * as NearRecords from "../src/internal/books/NearRecords.ts"
import { Database } from "../src/internal/sql/Database.ts"
import { inBoth } from "./support/databases.ts"
import { archiveOn } from "./support/decisions.ts"
import { NOW, transfer } from "./support/records.ts"
import { cases } from "./support/Seeded.ts"

/** So many are looked at on either side. */
const MOST = 3

/** Records lie at these times, ms behind `NOW`, some at the same; all but the first and the last are asked for. */
const LAST = 7

const Kept = Schema.Struct({
  at: Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: LAST })),
  asset: Schema.Literals(["USDT", "USDT", "BTC", "ETH"]),
  reference: Schema.Literals(["", "", "", "", "", "", "", "mine"])
})

const World = Schema.Struct({
  kept: Schema.Array(Kept).check(Schema.isMinLength(5), Schema.isMaxLength(25)),
  at: Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: LAST })),
  reference: Schema.Literals(["", "mine", "mine"])
})

describe.each(inBoth({ memory: cases(30), postgres: Math.min(cases(3), 100) }))(
  "records near a moment, on $kind.name",
  ({ count, kind }) => {
    it.live.prop(
      "are found once each: those of the assets in the time that is told, and the first of those with the reference in all of it",
      [World],
      ([{ at, kept, reference }]) =>
        Effect.gen(function*() {
          const records = kept.map(({ asset, at, reference }, index) =>
            transfer({ tranId: `t${index}`, asset, clientTranId: reference, timestamp: NOW + at })
          )
          yield* Archive.Archive.use(({ transfers }) => transfers.savePage({ records, bad: [], readAt: NOW + LAST }))
          const near = NearRecords.make(yield* Database.use(({ sql }) => Effect.succeed(sql)), MOST)
          const asked = { from: NOW + 1, to: NOW + LAST }
          const assets = ["USDT", "BTC"]
          const found = yield* near({ ...asked, side: "transfer", at: NOW + at, assets, reference })

          const ids = found.records.map(({ key }) => key)
          assert.strictEqual(new Set(ids).size, ids.length)
          const isIn = ({ from, to }: typeof asked, time: number): boolean => from <= time && time < to
          const isReferred = (record: typeof records[number]): boolean =>
            reference !== "" && record.clientTranId === reference
          const possible = records.filter(({ timestamp }) => isIn(asked, timestamp))
          const ofAsset = possible.filter(({ asset }) => assets.includes(asset))
          const referred = possible.filter(isReferred)
          assert.includeMembers(
            ids,
            ofAsset.filter(({ timestamp }) => isIn(found.searched, timestamp)).map(({ tranId }) => tranId)
          )
          if (referred.length <= MOST) assert.includeMembers(ids, referred.map(({ tranId }) => tranId))
          assert.includeMembers([...ofAsset, ...referred].map(({ tranId }) => tranId), ids)
          assert.sameMembers(
            found.records.filter(({ isReferred }) => isReferred).map(({ key }) => key),
            referred.map(({ tranId }) => tranId).filter((id) => ids.includes(id))
          )

          // It is told of all the time that was asked for where neither side has so many, and of no moment that may lack some.
          for (
            const [isBefore, end] of [[true, found.searched.from === asked.from], [
              false,
              found.searched.to === asked.to
            ]] as const
          ) {
            const side = new Set([...ofAsset, ...referred].filter(({ timestamp }) => timestamp < NOW + at === isBefore))
            if (side.size < MOST) assert.isTrue(end)
            else assert.isFalse(end)
          }
        }).pipe(Effect.provide(archiveOn(kind))),
      { arbitrary: { runs: count } }
    )
  }
)
