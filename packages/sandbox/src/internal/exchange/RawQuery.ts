/** Reads a query string as it came over the wire: first the signed text, and then its parameters. */
import * as Result from "effect/Result"
import { type Checked, malformed, missing, refused } from "./Answer.ts"

export interface Signed {
  /** The text in front of `&signature=`, byte for byte. */
  readonly payload: string
  readonly signature: string
}

const MARK = "&signature="

const names = (raw: string): ReadonlyArray<string> => raw.split("&").map((part) => part.split("=", 1)[0] ?? "")

/** Takes the signature off; it must be the last parameter and the only one of its name. */
export const signed = (raw: string): Checked<Signed> => {
  const count = names(raw).filter((name) => name === "signature").length
  if (count === 0) return missing("signature")
  const at = raw.indexOf(MARK)
  const signature = raw.slice(at + MARK.length)
  if (count > 1 || at < 0 || signature.includes("&")) {
    return refused(700002, "Signature for this request is not valid: 'signature' must be the last parameter.")
  }
  return signature === "" ? missing("signature") : Result.succeed({ payload: raw.slice(0, at), signature })
}

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text.replaceAll("+", " "))
  } catch {
    return undefined
  }
}

/** Returns the parameters by name. A name that comes twice, or text that is no percent-encoded UTF-8, is refused. */
export const parameters = (raw: string): Checked<ReadonlyMap<string, string>> => {
  const found = new Map<string, string>()
  for (const part of raw.split("&")) {
    if (part === "") continue
    const equals = part.indexOf("=")
    const name = decode(equals < 0 ? part : part.slice(0, equals))
    const value = decode(equals < 0 ? "" : part.slice(equals + 1))
    if (name === undefined || value === undefined) return malformed(name ?? "?", "percent-encoded UTF-8 is wanted")
    if (found.has(name)) return refused(700004, `Parameter '${name}' was sent more than once.`)
    found.set(name, value)
  }
  return Result.succeed(found)
}
