/** The two sides of a book as slices, as a program reads them that has lines of JSON. */
import * as AddressBook from "@tallystick/reconcile/AddressBook"
import type * as Entry from "@tallystick/reconcile/Entry"
import * as EntryStream from "@tallystick/reconcile/EntryStream"
import * as Policy from "@tallystick/reconcile/Policy"
import * as Effect from "effect/Effect"
import * as FileSystem from "effect/FileSystem"
import * as Result from "effect/Result"
import * as Stream from "effect/Stream"
import { readFileSync } from "node:fs"
import { join } from "node:path"

export const END = 8_640_000_000_000_000

export const open = (directory: string) => {
  const json = (name: string) => JSON.parse(readFileSync(join(directory, name), "utf8"))
  const policy = Policy.resolve(Result.getOrThrow(Policy.decode(json("policy.json"))))
  const addresses: AddressBook.AddressBook = json("addresses.json")
  const accounts = { list: [], complete: false }
  const account = AddressBook.lookup(addresses)
  const side = (side: Entry.Side) =>
    EntryStream.fromRows(
      Stream.unwrap(
        Effect.map(FileSystem.FileSystem, (files) => files.stream(join(directory, `${side}s.ndjson`)))
      ).pipe(
        Stream.decodeText(),
        Stream.splitLines,
        Stream.map((raw) => Result.succeed({ value: JSON.parse(raw), source: side, raw }))
      ),
      {
        side,
        policy,
        accounts,
        account,
        coverage: [{ operation: `${side}s`, from: 0, to: END, readAt: END, state: "complete" }]
      }
    )
  return { deposits: side("deposit"), transfers: side("transfer"), options: { policy, accounts, addresses } }
}
