/** The documents of this repository, and the blocks of code in them. */
import { globSync, readFileSync } from "node:fs"
import { fileURLToPath } from "node:url"

export const path = (relative: string): string => fileURLToPath(new URL(`../../../${relative}`, import.meta.url))

export const text = (relative: string): string => readFileSync(path(relative), "utf8")

/** Everything that people read, by its path from the root. */
export const names: ReadonlyArray<string> = globSync(
  ["*.md", "docs/**/*.md", "examples/*.md", "packages/*/README.md", "policies/*.md"],
  { cwd: path("."), exclude: ["**/node_modules/**"] }
).toSorted()

export interface Block {
  readonly document: string
  /** Of its first line of code, from 1. */
  readonly line: number
  /** `sh`, `ts`, `json`, …; empty where the block says none. */
  readonly language: string
  readonly code: string
}

const fenced = /^( *)```(\S*)[^\n]*\n([^]*?)^\1```$/gm

/** The fenced blocks of a document. */
export const blocks = (document: string): ReadonlyArray<Block> => {
  const whole = text(document)
  return Array.from(whole.matchAll(fenced), ({ index, 2: language = "", 3: code = "" }) => ({
    document,
    line: whole.slice(0, index).split("\n").length + 1,
    language,
    code
  }))
}

export const allBlocks: ReadonlyArray<Block> = names.flatMap(blocks)
