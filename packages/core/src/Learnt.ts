/**
 * Holds what the readings of one round showed about how a service answers, for a program that keeps it for the next round.
 *
 * Long lists are checked again in every round. Quiet queries show too few records to be checked, so they need these findings. And
 * the finding that lists are not believed must not be forgotten.
 */
import * as Schema from "effect/Schema"

const Count = Schema.Int.check(Schema.isGreaterThanOrEqualTo(0))

/** The findings about the lists of one operation. Times are Unix ms, lengths of time ms. */
export const Answers = Schema.Struct({
  /** Whether second readings were the same; where one differed, only agreement proves anything. */
  believed: Schema.Boolean.annotateKey({
    description: "Whether second readings were the same; where one differed, only agreement proves anything."
  }),
  /** Server time at which a list with records was last read twice; where lists are not believed, of the finding. */
  learntAt: Schema.Int.annotateKey({
    description:
      "Server time at which a list with records was last read twice; where lists are not believed, of the finding."
  }),
  /** How many lists in a row were the same since one differed; 0 where lists are believed. */
  agreements: Count.annotateKey({
    description: "How many lists in a row were the same since one differed; 0 where lists are believed."
  }),
  /** How many records a page was asked for at most. */
  pageLength: Count.annotateKey({ description: "How many records a page was asked for at most." }),
  /** How far before the end of a range a record was shown. */
  backwards: Count.annotateKey({ description: "How far before the end of a range a record was shown." }),
  /** How far behind the beginning of a range a record was shown. */
  forwards: Count.annotateKey({ description: "How far behind the beginning of a range a record was shown." }),
  /** Records of the longest response. */
  longestResponse: Count.annotateKey({ description: "Records of the longest response." }),
  /** Records of the longest list, on all its pages. */
  longestList: Count.annotateKey({ description: "Records of the longest list, on all its pages." })
})
export type Answers = typeof Answers.Type

/** The findings by operation. An operation of which no list with records was read twice is absent. */
export class Learnt extends Schema.Opaque<Learnt>()(
  Schema.Struct({
    deposits: Schema.optionalKey(Answers),
    transfers: Schema.optionalKey(Answers)
  }).annotate({ identifier: "Learnt" })
) {}
