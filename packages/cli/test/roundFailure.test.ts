import { assert, describe, it } from "@effect/vitest"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as RoundFailure from "../src/archive/RoundFailure.ts"
import * as Failure from "../src/Failure.ts"

const place = "books.db"

const ends = (reason: ArchiveError.Reason) =>
  [true, false].map((isFirst) => RoundFailure.endsWatching(ArchiveError.ArchiveError.of(reason), isFirst))

describe("a watch", () => {
  it("ends at its start with an archive that is held or may only be read, and later goes on", () => {
    assert.deepStrictEqual(ends(new ArchiveError.Held({ place, holder: "sync" })), [true, false])
    assert.deepStrictEqual(ends(new ArchiveError.ReadOnly({ place })), [true, false])
  })

  it("ends at any time where its file was moved away, or where the archive or the configuration makes no sense", () => {
    assert.deepStrictEqual(ends(new ArchiveError.Moved({ place, file: place })), [true, true])
    assert.deepStrictEqual(ends(new ArchiveError.Newer({ place, found: 99, known: 1 })), [true, true])
    assert.isTrue(RoundFailure.endsWatching(Failure.usage("no such account"), false))
  })

  it("takes one refusal for one fault, whichever operation met it, and another refusal for another", () => {
    const refused = (operation: BrokerError.Operation, code: string) =>
      RoundFailure.cause(
        new BrokerError.BrokerError({
          operation,
          reason: new BrokerError.KeyRejected({ code, serviceMessage: "unknown key" })
        })
      )
    assert.strictEqual(refused("universalTransfers", "10072"), refused("subAccountDeposits", "10072"))
    assert.notStrictEqual(refused("universalTransfers", "10072"), refused("universalTransfers", "10073"))
    assert.strictEqual(RoundFailure.cause(Failure.unfinished("HTTP 503")), "HTTP 503")
  })

  it("goes on where the archive cannot be reached", () => {
    assert.deepStrictEqual(ends(new ArchiveError.Locked({ place })), [false, false])
    assert.isFalse(RoundFailure.endsWatching(Failure.unfinished("HTTP 503"), true))
  })
})
