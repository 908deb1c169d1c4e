/** The accounts that a run is about. */
import * as Schema from "effect/Schema"
import * as Digest from "./internal/report/Digest.ts"

/** Names of the master account, and the sub-accounts that were asked for. */
export class Accounts extends Schema.Opaque<Accounts>()(
  Schema.Struct({
    /** The name or names of the master account; default `master`. An empty name always means the master account. */
    master: Schema.optionalKey(Schema.Union([Schema.NonEmptyString, Schema.NonEmptyArray(Schema.NonEmptyString)]))
      .annotateKey({
        description:
          "The name or names of the master account; default `master`. An empty name always means the master account."
      }),
    /** The sub-accounts. */
    list: Schema.Array(Schema.NonEmptyString).annotateKey({ description: "The sub-accounts." }),
    /** Whether somebody vouches that the list names every sub-account. */
    complete: Schema.Boolean.annotateKey({
      description: "Whether somebody vouches that the list names every sub-account."
    }),
    /**
     * When the list was read from the exchange and proven to be all that it lists, Unix ms. Absent where somebody vouches for it. It
     * is `complete` in either case.
     */
    provenAt: Schema.optionalKey(Schema.Int).annotateKey({
      description:
        "When the list was read from the exchange and proven to be all that it lists, Unix ms. Absent where somebody " +
        "vouches for it. It is `complete` in either case."
    })
  }).annotate({
    identifier: "Accounts",
    title: "Accounts",
    description: "The file of `--accounts` in its JSON form: the sub-accounts that a run is about."
  })
) {}

/** No accounts are given, and nobody vouches for a list. */
export const none: Accounts = { list: [], complete: false }

/** Returns the names of the master account. */
export const masterNames = ({ master = "master" }: Accounts): ReadonlyArray<string> =>
  typeof master === "string" ? [master] : master

/** Whether `name` means the master account: one of its names, or empty. */
export const isMaster = (accounts: Accounts, name: string): boolean =>
  name === "" || masterNames(accounts).includes(name)

/** Returns 16 hex digits that tell two lists of sub-accounts apart, whatever their order, as a report has them; no protection against anybody. */
export const digest = ({ list }: Accounts): string => Digest.ofTexts(list)
