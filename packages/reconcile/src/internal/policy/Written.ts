/** The policy as a person writes it. Every key is optional, and durations and decimals are text. */
import * as Amount from "@tallystick/core/Amount"
import * as Duration from "effect/Duration"
import * as Option from "effect/Option"
import * as Schema from "effect/Schema"
import * as Entry from "../../Entry.ts"

const isDurationText = (text: string): text is `${number} millis` =>
  /^-?\d+(?:\.\d+)?\s+(?:milli|second|minute|hour|day|week)s?$/.test(text)

/** Returns the duration in whole ms, or `undefined` when the text is no duration. */
export const toMillis = (written: string | number): number | undefined => {
  if (typeof written === "number") return Number.isSafeInteger(written) ? written : undefined
  if (!isDurationText(written)) return undefined
  const duration = Duration.fromInput(written)
  const millis = Option.isSome(duration) ? Duration.toMillis(duration.value) : Number.NaN
  return Number.isSafeInteger(millis) ? millis : undefined
}

const durationExpected = "a duration such as \"90 seconds\", \"1 hour\" or \"-1 day\", or a whole number of ms"

/** Says as much as a JSON Schema can: a number must be whole, and a text must be a number with a unit. */
const durationForm = (number: string) => () => ({
  pattern: `^${number}(\\.[0-9]+)?\\s+(milli|second|minute|hour|day|week)s?$`,
  multipleOf: 1
})

const Millis = Schema.Union([Schema.Finite, Schema.String]).annotate({ title: "duration", expected: durationExpected })
  .check(
    Schema.makeFilter((written) => toMillis(written) !== undefined, {
      expected: durationExpected,
      toJsonSchema: durationForm("-?[0-9]+")
    })
  )

const MillisFromZero = Millis.check(
  Schema.makeFilter((written) => (toMillis(written) ?? 0) >= 0, {
    expected: "a duration that is not negative",
    toJsonSchema: () => ({ minimum: 0 })
  })
)

const Decimal = Amount.Amount.annotate({ title: "decimal text" })

const atMostOne = (text: string): boolean => {
  const digits = Amount.isAmount(text) ? Amount.scale(text) : 0
  return Amount.isAmount(text) && Amount.units(text, digits) <= 10n ** BigInt(digits)
}

const Share = Decimal.check(
  Schema.makeFilter(atMostOne, {
    expected: "decimal text from \"0\" to \"1\"",
    toJsonSchema: () => ({ pattern: "^(0+(\\.[0-9]+)?|0*1(\\.0+)?)$" })
  })
).annotate({ title: "decimal text from 0 to 1" })

const Name = Schema.NonEmptyString

const Window = Schema.Struct({
  /** How long before its deposit a transfer may come. Negative: how long after it it must come at least. */
  before: Schema.optionalKey(Millis).annotateKey({
    description: "How long before its deposit a transfer may come. Negative: how long after it it must come at least."
  }),
  /**
   * How long after its deposit a transfer may come. Negative: how long before it it must come at least. `−before` must not
   * exceed it.
   */
  after: Schema.optionalKey(Millis).annotateKey({
    description:
      "How long after its deposit a transfer may come. Negative: how long before it it must come at least. `−before` must " +
      "not exceed it."
  })
})

const Tolerance = Schema.Struct({
  /** How much amounts may differ, in units of the asset. */
  absolute: Schema.optionalKey(Decimal).annotateKey({
    description: "How much amounts may differ, in units of the asset."
  }),
  /** How much they may differ, as a share of the base: `"0.001"` is 0.1 %. */
  relative: Schema.optionalKey(Decimal).annotateKey({
    description: "How much they may differ, as a share of the base: `\"0.001\"` is 0.1 %."
  }),
  /** Whose amount `relative` is a share of. */
  base: Schema.optionalKey(Schema.Literals(["deposit", "transfer", "larger"])).annotateKey({
    description: "Whose amount `relative` is a share of."
  }),
  /** Whether a difference of exactly the tolerance passes. Equal amounts always do. */
  inclusive: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether a difference of exactly the tolerance passes. Equal amounts always do."
  }),
  /** The most that `absolute` may be of the smaller amount, so that dust does not match anything. */
  maxShare: Schema.optionalKey(Share).annotateKey({
    description: "The most that `absolute` may be of the smaller amount, so that dust does not match anything."
  })
})

const Fee = Schema.Struct({
  /**
   * The asset of the deposit, as it is written there. A fee with an asset takes the place of those without one, which hold for
   * all others.
   */
  asset: Schema.optionalKey(Name).annotateKey({
    description:
      "The asset of the deposit, as it is written there. A fee with an asset takes the place of those without one, which " +
      "hold for all others."
  }),
  /** In units of the asset; in a group it counts once a transfer. Without it, 0. */
  flat: Schema.optionalKey(Decimal).annotateKey({
    description: "In units of the asset; in a group it counts once a transfer. Without it, 0."
  }),
  /** A share of the deposit, below 1. Without it, 0. */
  rate: Schema.optionalKey(Decimal).annotateKey({ description: "A share of the deposit, below 1. Without it, 0." })
})

const Per = Schema.Struct({
  /** The asset of the deposit, as it is written there. */
  asset: Name.annotateKey({ description: "The asset of the deposit, as it is written there." }),
  /** The network of the deposit; without it, all of them. */
  network: Schema.optionalKey(Name).annotateKey({
    description: "The network of the deposit; without it, all of them."
  }),
  /** In place of `window`, key by key. */
  window: Schema.optionalKey(Window).annotateKey({ description: "In place of `window`, key by key." }),
  /** In place of `tolerance`, key by key. */
  tolerance: Schema.optionalKey(Tolerance).annotateKey({ description: "In place of `tolerance`, key by key." }),
  /** In place of `late`. */
  late: Schema.optionalKey(MillisFromZero).annotateKey({ description: "In place of `late`." }),
  /** In place of `ambiguity.residual`; its other keys hold for all assets. */
  ambiguity: Schema.optionalKey(Schema.Struct({
    /** In place of `ambiguity.residual`. */
    residual: Schema.optionalKey(Decimal).annotateKey({ description: "In place of `ambiguity.residual`." })
  })).annotateKey({ description: "In place of `ambiguity.residual`; its other keys hold for all assets." })
})

const groupSize = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 32 }))
const runLength = Schema.Int.check(Schema.isBetween({ minimum: 2, maximum: 100_000 }))

const Grouping = Schema.Struct({
  /** Whether several deposits may be moved by one transfer. */
  manyToOne: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether several deposits may be moved by one transfer."
  }),
  /** Whether one deposit may be moved by several transfers. */
  oneToMany: Schema.optionalKey(Schema.Boolean).annotateKey({
    description: "Whether one deposit may be moved by several transfers."
  }),
  /** The most members of a group. */
  maxSize: Schema.optionalKey(groupSize).annotateKey({ description: "The most members of a group." }),
  /** The most members of a group that follow one another in time, or that are all there are. */
  maxRun: Schema.optionalKey(runLength).annotateKey({
    description: "The most members of a group that follow one another in time, or that are all there are."
  })
})

/** What to do with pairs that only a convention could decide: report them as a class, or assign them. */
export const Mode = Schema.Literals(["report", "assign"])

const Ambiguity = Schema.Union([
  Mode,
  Schema.Struct({
    /**
     * `report`: what the records do not decide is a class or ambiguous. `assign`: one of the best assignments is stated all the
     * same, its pairs marked `assigned`; some will be wrong.
     */
    mode: Schema.optionalKey(Mode).annotateKey({
      description:
        "`report`: what the records do not decide is a class or ambiguous. `assign`: one of the best assignments is stated " +
        "all the same, its pairs marked `assigned`; some will be wrong."
    }),
    /** Time decides a pair only when every other candidate is more than so many times as far away. */
    ratio: Schema.optionalKey(Schema.Finite.check(Schema.isBetween({ minimum: 1, maximum: 1_000_000 }))).annotateKey({
      description: "Time decides a pair only when every other candidate is more than so many times as far away."
    }),
    /** Time decides a pair only when there are at most so many other candidates. */
    rivals: Schema.optionalKey(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1_000_000 }))).annotateKey({
      description: "Time decides a pair only when there are at most so many other candidates."
    }),
    /**
     * The size below which a residual is noise, in units of the asset: a pair with such a residual is stated by its amount when
     * no other candidate of either entry has one. At 0 no residual is noise, and amounts that differ decide nothing.
     */
    residual: Schema.optionalKey(Decimal).annotateKey({
      description:
        "The size below which a residual is noise, in units of the asset: a pair with such a residual is stated by its " +
        "amount when no other candidate of either entry has one. At 0 no residual is noise, and amounts that differ decide " +
        "nothing."
    })
  })
]).annotate({ expected: "\"report\", \"assign\" or an object with mode, ratio, rivals and residual" })

/** A movement that counts as the counterpart of a deposit. */
export const Flow = Schema.Struct({
  /** The account that is left: a name, `*` for any account but the master account, or `master` for that. */
  from: Name.annotateKey({
    description: "The account that is left: a name, `*` for any account but the master account, or `master` for that."
  }),
  /** The account that is reached, written in the same way. */
  to: Name.annotateKey({ description: "The account that is reached, written in the same way." }),
  /** Pairs of account types, from and to. Without it the service is asked for SPOT to SPOT, and any pair that was read counts. */
  types: Schema.optionalKey(Schema.Array(Schema.Tuple([Name, Name]))).annotateKey({
    description:
      "Pairs of account types, from and to. Without it the service is asked for SPOT to SPOT, and any pair that was read counts."
  })
})

const StatusCode = Schema.Union([Schema.Int, Schema.String])
const StatusCodes = Schema.Struct({
  /** The movement was made. Only settled entries match. */
  settled: Schema.optionalKey(Schema.Array(StatusCode)).annotateKey({
    description: "The movement was made. Only settled entries match."
  }),
  /** It may still be made. */
  pending: Schema.optionalKey(Schema.Array(StatusCode)).annotateKey({ description: "It may still be made." }),
  /** It was not made, and will not be. */
  failed: Schema.optionalKey(Schema.Array(StatusCode)).annotateKey({ description: "It was not made, and will not be." })
})

/** An entry taken out by hand. */
export const Exclusion = Schema.Struct({
  /** Without it, on both sides. */
  side: Schema.optionalKey(Entry.Side).annotateKey({ description: "Without it, on both sides." }),
  /** The entry's id. One that is not found is a warning in the report. */
  id: Name.annotateKey({ description: "The entry's id. One that is not found is a warning in the report." }),
  /** Who says so, for the report. */
  by: Schema.optionalKey(Schema.String).annotateKey({ description: "Who says so, for the report." }),
  /** Why, for the report. */
  reason: Schema.optionalKey(Schema.String).annotateKey({ description: "Why, for the report." })
})

/** Entries that belong together because a person says so. */
export const Link = Schema.Struct({
  /** Ids of deposits. An id stands in one link only, and must be there; an excluded one is refused. */
  deposits: Schema.NonEmptyArray(Name).annotateKey({
    description: "Ids of deposits. An id stands in one link only, and must be there; an excluded one is refused."
  }),
  /** Ids of transfers, likewise. */
  transfers: Schema.NonEmptyArray(Name).annotateKey({ description: "Ids of transfers, likewise." }),
  /** Who says so, for the report. */
  by: Schema.optionalKey(Schema.String).annotateKey({ description: "Who says so, for the report." }),
  /** Why, for the report. */
  reason: Schema.optionalKey(Schema.String).annotateKey({ description: "Why, for the report." })
})

/** A pair that must not be matched. */
export const Forbidden = Schema.Struct({
  /** The deposit's id. */
  deposit: Name.annotateKey({ description: "The deposit's id." }),
  /** The transfer's id. */
  transfer: Name.annotateKey({ description: "The transfer's id." }),
  /** Who says so. */
  by: Schema.optionalKey(Schema.String).annotateKey({ description: "Who says so." }),
  /** Why. */
  reason: Schema.optionalKey(Schema.String).annotateKey({ description: "Why." })
})

export const ReferenceMode = Schema.Literals(["prefer", "require", "only", "ignore"])

/** The policy file. */
export class Policy extends Schema.Opaque<Policy>()(
  Schema.Struct({
    /**
     * When a transfer may come. The lag of a pair is the time of the transfer minus the time of the deposit; the pair is in the
     * window when `−before ≤ lag ≤ after`, both ends included.
     */
    window: Schema.optionalKey(Window).annotateKey({
      description:
        "When a transfer may come. The lag of a pair is the time of the transfer minus the time of the deposit; the pair is in " +
        "the window when `−before ≤ lag ≤ after`, both ends included."
    }),
    /**
     * How far outside the window an equal transfer is still `late` or `early` instead of unmatched, when neither side has another
     * equal candidate. Such a pair is a break, and never a match.
     */
    late: Schema.optionalKey(MillisFromZero).annotateKey({
      description:
        "How far outside the window an equal transfer is still `late` or `early` instead of unmatched, when neither side has " +
        "another equal candidate. Such a pair is a break, and never a match."
    }),
    /**
     * What the lag of a deposit counts from. `seen`: its own time. `settled`: where an archive saw it settle later than that, and
     * nothing was found for it from its own time on, the window and the lateness count from then as well.
     */
    lagFrom: Schema.optionalKey(Schema.Literals(["seen", "settled"])).annotateKey({
      description:
        "What the lag of a deposit counts from. `seen`: its own time. `settled`: where an archive saw it settle later than that, " +
        "and nothing was found for it from its own time on, the window and the lateness count from then as well."
    }),
    /** How much the amounts of a pair may differ: the larger of `absolute` and `relative` times the base. */
    tolerance: Schema.optionalKey(Tolerance).annotateKey({
      description: "How much the amounts of a pair may differ: the larger of `absolute` and `relative` times the base."
    }),
    /**
     * What may be taken off between a deposit and its transfer: the transfer may be `deposit − flat − rate × deposit`. Amounts
     * are compared without the fee, too; two fees of one asset are alternatives; a fee needs `flat`, `rate` or both.
     */
    fees: Schema.optionalKey(Schema.Array(Fee)).annotateKey({
      description:
        "What may be taken off between a deposit and its transfer: the transfer may be `deposit − flat − rate × deposit`. " +
        "Amounts are compared without the fee, too; two fees of one asset are alternatives; a fee needs `flat`, " +
        "`rate` or both."
    }),
    /**
     * Rules for single assets: the first that names the asset (and the network) of a deposit holds for it, and what it does not
     * say is as for all assets.
     */
    per: Schema.optionalKey(Schema.Array(Per)).annotateKey({
      description:
        "Rules for single assets: the first that names the asset (and the network) of a deposit holds for it, and what it does " +
        "not say is as for all assets."
    }),
    /** Several entries to one. */
    grouping: Schema.optionalKey(Grouping).annotateKey({ description: "Several entries to one." }),
    /** What becomes of pairs that the records do not decide. A text alone is the mode. */
    ambiguity: Schema.optionalKey(Ambiguity).annotateKey({
      description: "What becomes of pairs that the records do not decide. A text alone is the mode."
    }),
    /**
     * What a key that both sides carry means. `prefer`: equal references are matched first, inside window and tolerance.
     * `require`: the same, and two entries that both carry a reference, and different ones, never match. `only`: only equal
     * references are matched. `ignore`: references are not looked at.
     */
    reference: Schema.optionalKey(ReferenceMode).annotateKey({
      description:
        "What a key that both sides carry means. `prefer`: equal references are matched first, inside window and tolerance. " +
        "`require`: the same, and two entries that both carry a reference, and different ones, never match. `only`: only equal " +
        "references are matched. `ignore`: references are not looked at."
    }),
    /** How assets are named. */
    assets: Schema.optionalKey(Schema.Struct({
      /**
       * Lists of names that are one asset. A name stands in one list only; totals count a list as one asset, under its first
       * name.
       */
      aliases: Schema.optionalKey(Schema.Array(Schema.Array(Name))).annotateKey({
        description:
          "Lists of names that are one asset. A name stands in one list only; totals count a list as one asset, under its first " +
          "name."
      })
    })).annotateKey({ description: "How assets are named." }),
    /** The movements that count as the counterpart of a deposit. */
    flows: Schema.optionalKey(Schema.NonEmptyArray(Flow)).annotateKey({
      description: "The movements that count as the counterpart of a deposit."
    }),
    /**
     * What the source's own codes or words mean; each list given takes the place of its default. A code has one meaning, and any
     * other code is `unknown`.
     */
    statuses: Schema.optionalKey(Schema.Struct({
      /** Of deposits. */
      deposit: Schema.optionalKey(StatusCodes).annotateKey({ description: "Of deposits." }),
      /** Of transfers. */
      transfer: Schema.optionalKey(StatusCodes).annotateKey({ description: "Of transfers." })
    })).annotateKey({
      description:
        "What the source's own codes or words mean; each list given takes the place of its default. A code has one meaning, and " +
        "any other code is `unknown`."
    }),
    /**
     * By asset: entries below it are set aside as `excluded`, on both sides, also under the aliases of the asset that have none
     * of their own.
     */
    minAmount: Schema.optionalKey(Schema.Record(Name, Decimal)).annotateKey({
      description:
        "By asset: entries below it are set aside as `excluded`, on both sides, also under the aliases of the asset that have " +
        "none of their own."
    }),
    /** Entries that are left out, by hand. */
    exclude: Schema.optionalKey(Schema.Array(Exclusion)).annotateKey({
      description: "Entries that are left out, by hand."
    }),
    /** Entries that belong together, by hand: whatever window, amount, status and reference say, but never across assets. */
    links: Schema.optionalKey(Schema.Array(Link)).annotateKey({
      description:
        "Entries that belong together, by hand: whatever window, amount, status and reference say, but never across " +
        "assets."
    }),
    /** Pairs that never match, whatever the numbers say. A link goes before it. */
    forbid: Schema.optionalKey(Schema.Array(Forbidden)).annotateKey({
      description: "Pairs that never match, whatever the numbers say. A link goes before it."
    })
  }).annotate({
    identifier: "Policy",
    expected: "object",
    title: "Policy",
    description: "Which transfer may belong to which deposit. Every key is optional."
  })
) {}
