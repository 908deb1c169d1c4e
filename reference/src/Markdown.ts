/** Pieces of Markdown. */

/** Writes a cell of a table on one line, in which no bar ends the cell. */
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("\n", " ")

const row = (cells: ReadonlyArray<string>): string => `| ${cells.map(cell).join(" | ")} |`

export const table = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [row(head), row(head.map(() => "---")), ...rows.map(row)].join("\n")

export const code = (text: string): string => `\`${text}\``

const inline = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(inline).join(", ")}]`
  if (typeof value !== "object" || value === null) return JSON.stringify(value)
  const members = Object.entries(value).map(([key, value]) => `${JSON.stringify(key)}: ${inline(value)}`)
  return members.length === 0 ? "{}" : `{ ${members.join(", ")} }`
}

/** Writes a value as JSON. */
export const value = (value: unknown): string => code(inline(value))

export const block = (language: string, text: string): string => `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``
