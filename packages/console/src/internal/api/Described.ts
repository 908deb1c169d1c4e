/** Parts that endpoints have in common: the words that describe them, and how a list is cut into pages. */
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"

export const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

/** Part of a query or a payload that may be absent. */
export const optional = <S extends Schema.Constraint>(schema: S, description: string) =>
  Schema.optionalKey(schema).annotateKey({ description })

export const limit = (most: number, usual: number) =>
  optional(
    Schema.Int.check(Schema.isBetween({ minimum: 1, maximum: most })),
    `A page has so many at most, from 1 to ${most}. Default: ${usual}.`
  )

/** A moment, Unix ms. */
export const Moment = Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER }))

/** An id, or the part of one that a person has at hand. */
export const Id = Schema.NonEmptyString.check(Schema.isMaxLength(500))
