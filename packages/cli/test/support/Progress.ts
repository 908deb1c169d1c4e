/** A piece of work as its line shows it. */
import * as ProgressLine from "@tallystick/cli/terminal/ProgressLine"

export const counts = { done: 12, of: 96, pages: 340, records: 12_345, added: 2345 }

export const SYNC = { what: "transfers from sub00012", unit: "query" } as const

/** One piece of work that began at 0, went on evenly until `moved`, and has come to `changes`. */
export const state = (changes: Partial<ProgressLine.Counts> = {}, moved = 0, about: ProgressLine.About = SYNC) => {
  const own = Symbol("piece")
  const opened = ProgressLine.opened(ProgressLine.begin(0), own, about)
  const { done = counts.done } = changes
  const begun = ProgressLine.changed(opened, own, { done: Math.min(1, done) }, false, moved / Math.max(1, done))
  return ProgressLine.changed(begun, own, { ...counts, ...changes }, false, moved)
}
