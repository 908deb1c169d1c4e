/** Where a server listens, as a flag says it. */
import * as Result from "effect/Result"

/** An address; port 0 is any free one. */
export interface ListenPlace {
  readonly host: string
  readonly port: number
}

const LOOPBACK = "127.0.0.1"

const LARGEST_PORT = 65_535

/** Reads `HOST:PORT`, `[::1]:PORT` or `PORT`; says what is wrong with anything else. */
export const parse = (text: string): Result.Result<ListenPlace, string> => {
  const match = /^(?:(\[[0-9a-f:.]+\]|[^:[\]\s]+):)?(\d{1,5})$/i.exec(text)
  const [, host = LOOPBACK, digits] = match ?? []
  const port = Number(digits)
  return match === null || port > LARGEST_PORT
    ? Result.fail(`cannot be "${text}"; wanted: a port, or an address and a port, such as 127.0.0.1:9464`)
    : Result.succeed({ host: host.replace(/^\[|\]$/g, ""), port })
}
