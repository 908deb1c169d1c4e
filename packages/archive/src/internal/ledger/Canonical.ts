/**
 * One value has one text: JSON as RFC 8785 writes it, with sorted keys and without spaces. Numbers are whole, so that their
 * form is no question.
 */
import * as Predicate from "effect/Predicate"

export const stringify = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(stringify).join(",")}]`
  if (!Predicate.isObject(value)) return JSON.stringify(value)
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${stringify(member)}`).join(",")}}`
}
