/** The kind of a reason tells a program what to do without a list of reasons. */
import { assert, describe, it } from "@effect/vitest"
import * as Effect from "effect/Effect"
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Archive from "../src/Archive.ts"
import type * as ArchiveError from "../src/ArchiveError.ts"
import { temporaryFolder } from "./support/databases.ts"

const readIn = (file: string) =>
  Effect.flip(Effect.provide(Archive.Archive.use(({ coveredTo }) => coveredTo), Archive.Archive.layerBackup(file)))

/** The types hold this table, so that it has every reason with its own category. */
const categories: { readonly [Reason in ArchiveError.Reason as Reason["_tag"]]: Reason["category"] } = {
  Locked: "transient",
  Held: "transient",
  Superseded: "transient",
  Occupied: "transient",
  Changed: "transient",
  Unreachable: "transient",
  InvalidRange: "request",
  Exists: "request",
  Pruned: "request",
  CannotOpen: "place",
  ReadOnly: "place",
  DiskFull: "place",
  Moved: "place",
  Aliased: "place",
  Remote: "place",
  Foreign: "owner",
  OtherMaster: "owner",
  Newer: "version",
  Older: "version",
  TooOld: "version",
  Damaged: "damaged",
  Reverted: "damaged",
  Failed: "unexpected"
}

describe("the category of an archive's error", () => {
  it.effect("tells what passes by itself from what a person must put right", () =>
    Effect.gen(function*() {
      const folder = yield* temporaryFolder
      const absent = yield* readIn(join(folder, "absent.db"))
      assert.deepStrictEqual([absent.category, absent.reason._tag], ["place", "CannotOpen"])

      const letter = join(folder, "letter.txt")
      writeFileSync(letter, "Dear books, ".repeat(100))
      assert.strictEqual((yield* readIn(letter)).category, "owner")

      const held = yield* Archive.Archive.use(({ exclusive }) =>
        Effect.andThen(exclusive("sync"), Effect.flip(exclusive("import")))
      ).pipe(Effect.scoped, Effect.provide(Archive.Archive.layerMemory()))
      assert.strictEqual(held.category, "transient")

      const reversed = yield* Archive.Archive.use(({ coverage }) => Effect.flip(coverage({ from: 2, to: 1 }))).pipe(
        Effect.provide(Archive.Archive.layerMemory())
      )
      assert.strictEqual(reversed.category, "request")
    }))

  it("is that of docs/embed.md for each reason", () => {
    const guide = readFileSync(new URL("../../../docs/embed.md", import.meta.url), "utf8")
    const rows = [...guide.matchAll(/^\| `([a-z-]+)` +\| ((?:`[A-Za-z]+`(?:, )?)+) +\|/gm)]
    const told = new Map(
      rows.flatMap(([, category = "", reasons = ""]) =>
        [...reasons.matchAll(/`(\w+)`/g)].map(([, tag = ""]) => [tag, category] as const)
      )
    )
    const inGuide = Object.keys(categories).map((tag) => [tag, told.get(tag)])
    assert.deepStrictEqual(Object.fromEntries(inGuide), categories)
  })
})
