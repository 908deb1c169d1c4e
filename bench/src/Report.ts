/** Plain tables. */
import { readFileSync } from "node:fs"
import { arch, cpus, totalmem } from "node:os"

export const median = (values: ReadonlyArray<number>): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const middle = sorted.length >> 1
  return sorted.length % 2 === 1
    ? sorted[middle] ?? Number.NaN
    : ((sorted[middle - 1] ?? Number.NaN) + (sorted[middle] ?? Number.NaN)) / 2
}

export const count = (value: number): string => Math.round(value).toLocaleString("en")

export const digits = (value: number, places: number): string =>
  value.toLocaleString("en", { minimumFractionDigits: places, maximumFractionDigits: places })

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const widths = head.map((title, column) => Math.max(title.length, ...rows.map((row) => row[column]?.length ?? 0)))
  const line = (cells: ReadonlyArray<string>): string =>
    widths.map((width, column) =>
      column === 0 ? (cells[column] ?? "").padEnd(width) : (cells[column] ?? "").padStart(width)
    ).join("  ").trimEnd()
  return [line(head), ...rows.map(line)].join("\n")
}

const load = (): string => readFileSync("/proc/loadavg", "utf8").split(" ").slice(0, 3).join(" ")

/** What the numbers were taken on, and how busy it was. */
export const machine = (): string => {
  const model = cpus()[0]?.model.trim() ?? "unknown"
  const memory = Math.round(totalmem() / 2 ** 30)
  return `${cpus().length} × ${model} (${arch()}), ${memory} GiB, Node ${process.version}, load ${load()}`
}
