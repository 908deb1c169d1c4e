/** The work of `tallystick site`. */
import * as Text from "@tallystick/report/text/Text"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as ArchivePlace from "../archive/ArchivePlace.ts"
import * as PeriodZone from "../archive/PeriodZone.ts"
import * as SitePages from "../booksite/SitePages.ts"
import * as Failure from "../Failure.ts"
import type * as ArchiveFlag from "../flags/ArchiveFlag.ts"
import * as AskedRange from "../flags/AskedRange.ts"
import type * as RangeFlags from "../flags/RangeFlags.ts"
import * as Stderr from "../terminal/Stderr.ts"

interface Flags extends ArchiveFlag.Flags, Pick<RangeFlags.Flags, "zone"> {
  readonly out: string
  readonly title: Option.Option<string>
}

const write = Effect.fnUntraced(function*(flags: Flags) {
  const zone = yield* AskedRange.zone(yield* PeriodZone.of(flags))
  const { of, written } = yield* SitePages.write(flags.out, {
    title: Option.getOrUndefined(flags.title),
    zone
  })
  yield* Stderr.say(
    `site: ${Text.count(written)} of ${Text.counted(of, "page")} written to ${flags.out}${
      written === 0 ? ": nothing is new" : ""
    }`
  )
})

export const run = (flags: Flags) =>
  write(flags).pipe(
    Effect.catchTags({
      ArchiveError: (error) => Effect.fail(Failure.fromArchive(error)),
      BookError: ({ message }) => Effect.fail(Failure.usage(message)),
      UnknownPosition: ({ message }) => Effect.fail(Failure.unfinished(message))
    }),
    Effect.scoped,
    ArchivePlace.withReadArchive(flags)
  )
