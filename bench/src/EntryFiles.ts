/** A history as the command reads it: plain entries, a line each. */
import { once } from "node:events"
import { createWriteStream, existsSync, mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { generate } from "./Generator.ts"
import { relative, type Side, window } from "./History.ts"
import * as Scratch from "./Scratch.ts"

export interface EntryFiles {
  readonly deposits: string
  readonly transfers: string
  readonly policy: string
}

const decimal = (units: number): string => {
  const text = String(units).padStart(9, "0")
  return `${text.slice(0, -8)}.${text.slice(-8)}`
}

const writeLines = async (path: string, letter: string, { amount, asset, at }: Side): Promise<void> => {
  const stream = createWriteStream(path)
  let lines = ""
  for (let index = 0; index < at.length; index++) {
    lines += `{"id":"${letter}${index}","asset":"A${asset[index]}","amount":"${decimal(amount[index] ?? 0)}",` +
      `"at":${at[index]},"status":"settled"}\n`
    if (lines.length < 1 << 20) continue
    if (!stream.write(lines)) await once(stream, "drain")
    lines = ""
  }
  stream.end(lines)
  await once(stream, "finish")
}

/** Made when they are first needed. */
export const make = async (size: number, days: number, seed: number): Promise<EntryFiles> => {
  const directory = join(Scratch.root, `lines-${size}-${days}-${seed}`)
  const at = (name: string): string => join(directory, name)
  const files = { deposits: at("deposits.ndjson"), transfers: at("transfers.ndjson"), policy: at("policy.json") }
  if (existsSync(at("ready"))) return files
  mkdirSync(directory, { recursive: true })
  const { deposits, transfers } = generate({ seed, size, days })
  await writeLines(files.deposits, "d", deposits)
  await writeLines(files.transfers, "t", transfers)
  writeFileSync(files.policy, JSON.stringify({ window, tolerance: { relative: String(relative) } }))
  writeFileSync(at("ready"), "")
  return files
}
