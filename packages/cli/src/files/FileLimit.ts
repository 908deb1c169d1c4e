/** How much of a file is held at once: a line of records, or the whole of what cannot be read by and by. */
import * as Effect from "effect/Effect"
import * as Stream from "effect/Stream"
import * as Configured from "../config/Configured.ts"
import * as Setting from "../config/Setting.ts"
import * as Failure from "../Failure.ts"
import * as FileBytes from "./FileBytes.ts"
import * as RowFile from "./RowFile.ts"

/** The longest text that the engine can hold. */
const LONGEST = 536_870_888

const NEWLINE = 10
const CARRIAGE_RETURN = 13

/** The longest line of records in force, bytes. */
const longestLine = Effect.gen(function*() {
  const { allowed, fallback, variable } = Setting.maxLine
  const said = (yield* Configured.value(variable))?.value ?? fallback
  const bytes = Setting.lineLength(said)
  return bytes ?? (yield* Failure.usage(`${yield* Configured.nameOf(variable)} is not valid; allowed: ${allowed}`))
})

/** Of a file that is no list, whose records have lines of their own, fails at the first line that is too long, as it comes. */
export const lines = (path: string) => <E, R>(bytes: Stream.Stream<Uint8Array, E, R>) =>
  Stream.unwrap(Effect.map(longestLine, (longest) => {
    let isList: boolean | undefined
    let [line, length] = [1, 0]
    const tooLong = Effect.suspend(() =>
      Failure.usage(
        `${
          FileBytes.nameOf(path)
        }, line ${line}: longer than ${longest} bytes, which no record is; if it is one, set ` +
          `${Setting.maxLine.variable} or ${Setting.maxLine.key} of the configuration file to more`
      )
    )
    return Stream.tap(bytes, (chunk): Effect.Effect<void, Failure.Failure> => {
      if (isList === undefined) {
        const begin = new TextDecoder().decode(chunk)
        if (/[^\s\uFEFF]/.test(begin)) isList = RowFile.isList(begin)
      }
      if (isList === true) return Effect.void
      let start = 0
      const isShort = (ending: number): boolean => {
        for (let end = chunk.indexOf(ending, start); end >= 0; end = chunk.indexOf(ending, start)) {
          const last = end > start && chunk[end - 1] === CARRIAGE_RETURN ? end - 1 : end
          if (length + last - start > longest) return false
          start = end + 1
          length = 0
          if (ending === NEWLINE) line++
        }
        return true
      }
      if (!isShort(NEWLINE) || !isShort(CARRIAGE_RETURN)) return tooLong
      length += chunk.length - start
      return length > longest ? tooLong : Effect.void
    })
  }))

/** Fails where more comes, of bytes or of text, than can be one text: of a file whose length is known before it is read. */
export const whole = (path: string) => <A extends { readonly length: number }, E, R>(parts: Stream.Stream<A, E, R>) =>
  Stream.unwrap(Effect.map(FileBytes.lengthOf(path), (known = 0) => {
    const tooLong = Effect.fail(Failure.usage(
      `${
        FileBytes.nameOf(path)
      } is longer than ${LONGEST} bytes, more than can be read at once: write a record a line, and read it ` +
        "with --format ndjson"
    ))
    if (known > LONGEST) return Stream.fromEffect(tooLong)
    let length = 0
    return Stream.tap(parts, (part): Effect.Effect<void, Failure.Failure> => {
      length += part.length
      return length <= LONGEST ? Effect.void : tooLong
    })
  }))
