/** Candidates by amount. Equal amounts are interchangeable, so sets are sought and counted by classes of equal amounts. */
import { f64, i32 } from "../Column.ts"
import { type Addends, bigintAt } from "./Addends.ts"
import * as Order from "./Order.ts"

export interface Classes {
  /** The value of each class, descending. */
  readonly values: Float64Array
  /** The exact amount of each class, where the values are rounded. */
  readonly exact: ReadonlyArray<bigint> | undefined
  /** The candidates, the largest amount first; those of one class in ascending order. */
  readonly members: Int32Array
  /** The position in `members` where each class begins, and the end of the last class. */
  readonly start: Int32Array
  /** At each position n, the sum of the values of the first n `members`. */
  readonly sums: Float64Array
}

export const size = ({ start }: Classes, index: number): number => i32(start, index + 1) - i32(start, index)

/** Returns the least sum of `count` candidates. */
export const least = ({ members, sums }: Classes, count: number): number =>
  f64(sums, members.length) - f64(sums, members.length - count)

/** Makes the classes of the candidates whose value is at most `most`. */
export const make = ({ exact, values }: Addends, most: number): Classes => {
  const kept = Int32Array.from(values.keys()).filter((candidate) => f64(values, candidate) <= most)
  const members = exact === undefined
    ? Order.ascending(Float64Array.from(kept, (candidate) => most - f64(values, candidate)))
      .map((position) => i32(kept, position))
    : kept.toSorted((a, b) => {
      const [left, right] = [bigintAt(exact, a), bigintAt(exact, b)]
      return left > right ? -1 : left < right ? 1 : a - b
    })
  const isEqual = (a: number, b: number): boolean =>
    exact === undefined ? values[a] === values[b] : exact[a] === exact[b]

  const sums = new Float64Array(members.length + 1)
  const start: Array<number> = []
  for (let position = 0; position < members.length; position++) {
    const candidate = i32(members, position)
    sums[position + 1] = f64(sums, position) + f64(values, candidate)
    if (position === 0 || !isEqual(candidate, i32(members, position - 1))) start.push(position)
  }
  const firsts = start.map((position) => i32(members, position))
  return {
    values: Float64Array.from(firsts, (candidate) => f64(values, candidate)),
    exact: exact === undefined ? undefined : firsts.map((candidate) => bigintAt(exact, candidate)),
    members,
    start: Int32Array.from([...start, members.length]),
    sums
  }
}
