/** A close in words tells what it carried besides entries. */
import { assert, it } from "@effect/vitest"
import type * as Closing from "@tallystick/archive/Closing"
import * as DateTime from "effect/DateTime"
import * as PeriodText from "../src/archive/PeriodText.ts"
import * as ZonedTimes from "../src/text/ZonedTimes.ts"

const nothing = { count: 0, digest: "0".repeat(64) }

const close: Closing.Close = {
  kind: "close",
  number: 2,
  previous: "0".repeat(64),
  at: 0,
  by: "clerk",
  identity: "os",
  zone: "UTC",
  through: "2026-11-24",
  from: 0,
  to: 86_400_000,
  states: nothing,
  totals: [],
  carried: nothing,
  provisional: 0,
  vouched: []
}

const told = (changes: Partial<Closing.Close>, reopened?: Closing.Reopen): string =>
  PeriodText.detail(
    {
      period: {
        id: "a",
        close: { ...close, ...changes },
        ...(reopened === undefined ? {} : { reopened }),
        broken: [],
        settled: [],
        waitsOtherwise: [],
        isAltered: false
      }
    },
    { width: 1000, times: ZonedTimes.make(DateTime.zoneMakeOffset(0)) }
  )

it("records that could not be read are told by their items, or by the run as an earlier version kept them, and decisions that nothing followed are counted", () => {
  const text = told({ unreadable: [{ run: "r3f2a", records: 1 }, { run: "r9c41", records: 2 }], proposed: 1 })
  assert.include(
    text,
    "run r3f2a, which judged time of it, met 1 record that could not be read, and is carried forward as such: tallystick show r3f2a names what came"
  )
  assert.include(
    text,
    "run r9c41, which judged time of it, met 2 records that could not be read, and are carried forward as such: tallystick show r9c41 names what came"
  )
  assert.include(
    told({ badRecords: { count: 2, items: ["u3f2a"] } }),
    "2 records that could not be read are carried forward as such:\n    u3f2a\n    1 more, which the ledger does not name"
  )
  assert.include(text, "1 decision on entries before its end waits for another person, and nothing followed it")
})

it("a reopening of which nothing could be compared says why", () => {
  const { at, by, identity, previous } = close
  const reopening = {
    at,
    by,
    identity,
    previous,
    number: 3,
    close: 2,
    kind: "reopen",
    reason: "other",
    words: "why"
  } as const
  const why = "run r3f2a did not come to what execution 1 of the books says"
  assert.include(
    told({}, { ...reopening, uncompared: why }),
    `what had become of the period by then could not be compared, because the archive was damaged: ${why}`
  )
  assert.notInclude(told({}, reopening), "could not be compared")
})

it("a close of an earlier version, and one that carried nothing of that kind, tell of none", () => {
  for (const text of [told({}), told({ unreadable: [], badRecords: { count: 0, items: [] }, proposed: 0 })]) {
    assert.notInclude(text, "could not be read")
    assert.notInclude(text, "another person")
  }
})
