/** Whoever keeps pages of records, by name. A process loads only the one that it runs. */
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import type * as UniversalTransfer from "@tallystick/core/UniversalTransfer"

export interface Records {
  readonly deposits: SubAccountDeposit.SubAccountDeposit
  readonly transfers: UniversalTransfer.UniversalTransfer
}

export type Side = keyof Records

/** Keeps pages, each in a transaction of its own, and returns how many records were new. */
export type Save<Record> = (pages: ReadonlyArray<ReadonlyArray<Record>>, readAt: number) => Promise<number> | number

export type Saves = { readonly [Name in Side]: Save<Records[Name]> }

export interface Inserter {
  /** Opens the archive's file, whose tables are there. */
  readonly prepare: (file: string) => Promise<Saves> | Saves
}

const loaders = {
  "node:sqlite": () => import("../contenders/BareInsert.ts").then(({ bareInsert }) => bareInsert),
  tallystick: () => import("../contenders/ArchiveInsert.ts").then(({ archiveInsert }) => archiveInsert)
} satisfies Readonly<Record<string, () => Promise<Inserter>>>

export type Name = keyof typeof loaders

export const names: ReadonlyArray<Name> = ["node:sqlite", "tallystick"]

export const load = (name: Name): Promise<Inserter> => loaders[name]()
