/** Reads the raw columns of a history. */
import { closeSync, fstatSync, openSync, readSync } from "node:fs"
import { join } from "node:path"
import type { History, Side } from "./History.ts"

/** The bytes of a file, without a second copy of them in memory. */
const bytes = (directory: string, name: string): ArrayBuffer => {
  const file = openSync(join(directory, name), "r")
  const buffer = new ArrayBuffer(fstatSync(file).size)
  for (let done = 0; done < buffer.byteLength;) done += readSync(file, new Uint8Array(buffer, done))
  closeSync(file)
  return buffer
}

const readSide = (directory: string, side: "deposits" | "transfers"): Side => ({
  asset: new Int32Array(bytes(directory, `${side}.asset`)),
  amount: new Float64Array(bytes(directory, `${side}.amount`)),
  at: new Float64Array(bytes(directory, `${side}.at`))
})

/** Without the truth, which no contender is shown. */
export const readSides = (directory: string): Pick<History, "deposits" | "transfers"> => ({
  deposits: readSide(directory, "deposits"),
  transfers: readSide(directory, "transfers")
})

export const read = (directory: string): History => ({
  ...readSides(directory),
  truth: new Int32Array(bytes(directory, "truth"))
})
