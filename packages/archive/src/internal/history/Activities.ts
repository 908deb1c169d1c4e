/** A sync looks first where something happened of late. */
import * as Effect from "effect/Effect"
import type * as Queries from "../coverage/Queries.ts"
import type * as Database from "../sql/Database.ts"
import * as StoredText from "../sql/StoredText.ts"

interface Place {
  readonly address: string
  readonly memo: string
  readonly network: string
}

export const make = ({ error, sql }: Database.Service, queries: Queries.Queries) =>
  Effect.fnUntraced(function*(since: number) {
    const known = yield* queries.all
    const shown = yield* sql<{ readonly query: number }>`SELECT DISTINCT query FROM transfers WHERE at >= ${since}`
    const places = yield* sql<Place>`SELECT DISTINCT address, memo, network FROM deposits WHERE at >= ${since}`
    return {
      queries: shown.flatMap(({ query }) => known.get(query) ?? []),
      places: places.map(({ address, memo, network }) => ({
        address: StoredText.decode(address),
        memo: StoredText.decode(memo),
        network: StoredText.decode(network)
      }))
    }
  }, Effect.mapError(error))
