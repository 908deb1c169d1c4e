/** The identity of a report: what somebody needs who cites it. Whoever makes a report knows these facts; no number is among them. */
import * as Schema from "effect/Schema"

const said = {
  /** When, Unix ms, as the clock of the machine claimed. */
  at: Schema.Int.annotateKey({ description: "When, Unix ms, as the clock of the machine claimed." }),
  /** By whom; `NAME (claimed)` is a name that nobody checked. */
  by: Schema.String.annotateKey({ description: "By whom; `NAME (claimed)` is a name that nobody checked." })
}

/** The flags by which a command takes files that its answer depends on. */
const fileFlags = ["config", "archive-file", "policy", "accounts", "addresses"] as const

/** What identifies a report. Every part is absent where nobody knows it. */
export class Identity extends Schema.Opaque<Identity>()(
  Schema.Struct({
    /** Whose books they are, as somebody named them. */
    title: Schema.optionalKey(Schema.String).annotateKey({
      description: "Whose books they are, as somebody named them."
    }),
    /** The host of the exchange that was asked. */
    exchange: Schema.optionalKey(Schema.String).annotateKey({
      description: "The host of the exchange that was asked."
    }),
    /** The name of the archive: of its file, or of its database, without the place. */
    archive: Schema.optionalKey(Schema.String).annotateKey({
      description: "The name of the archive: of its file, or of its database, without the place."
    }),
    /** The id of the recorded run. */
    run: Schema.optionalKey(Schema.String).annotateKey({ description: "The id of the recorded run." }),
    /** The number of the execution by which the run brought the books forward; absent where it did not. */
    execution: Schema.optionalKey(Schema.Int).annotateKey({
      description: "The number of the execution by which the run brought the books forward; absent where it did not."
    }),
    /** The last row of the archive's ledger that was known: its number, and its id. */
    ledger: Schema.optionalKey(Schema.Struct({ number: Schema.Int, id: Schema.String })).annotateKey({
      description: "The last row of the archive's ledger that was known: its number, and its id."
    }),
    /** 16 hex digits that tell two policies apart; no protection against anybody. */
    policy: Schema.optionalKey(Schema.String).annotateKey({
      description: "16 hex digits that tell two policies apart; no protection against anybody."
    }),
    /**
     * The files that flags named, as they were written, so that commands of the report ask what it answers. `-` stands for a file that no
     * command can name again.
     */
    given: Schema.optionalKey(
      Schema.Array(Schema.Struct({ flag: Schema.Literals(fileFlags), file: Schema.String }))
    ).annotateKey({
      description:
        "The files that flags named, as they were written, so that commands of the report ask what it answers. `-` stands for a " +
        "file that no command can name again."
    }),
    /** The program that made the report, and its version. */
    program: Schema.optionalKey(Schema.String).annotateKey({
      description: "The program that made the report, and its version."
    }),
    /** When the report was made, Unix ms. */
    madeAt: Schema.optionalKey(Schema.Int).annotateKey({ description: "When the report was made, Unix ms." }),
    /** By whom the report was made; `NAME (claimed)` is a name that nobody checked. */
    madeBy: Schema.optionalKey(Schema.String).annotateKey({
      description: "By whom the report was made; `NAME (claimed)` is a name that nobody checked."
    }),
    /** The decisions that the report follows and that another person than their author approved; absent where there is none. */
    approved: Schema.optionalKey(Schema.Struct({
      /** So many decisions. */
      decisions: Schema.Int.annotateKey({ description: "So many decisions." }),
      /** By whom, each name once; `NAME (claimed)` is a name that nobody checked. */
      by: Schema.Array(Schema.String).annotateKey({
        description: "By whom, each name once; `NAME (claimed)` is a name that nobody checked."
      })
    })).annotateKey({
      description:
        "The decisions that the report follows and that another person than their author approved; absent where there is none."
    }),
    /** The close of the books that holds all of the range; absent where none does, or where it was taken back. */
    closed: Schema.optionalKey(Schema.Struct({
      /** The number of the close in the ledger. */
      number: Schema.Int.annotateKey({ description: "The number of the close in the ledger." }),
      ...said
    })).annotateKey({
      description:
        "The close of the books that holds all of the range; absent where none does, or where it was taken back."
    })
  }).annotate({ identifier: "Identity" })
) {}
