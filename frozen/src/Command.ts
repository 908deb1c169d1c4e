/** `node frozen/src/main.ts`: compares, shows, or writes the digests anew. */
import * as Argument from "effect/cli/Argument"
import * as Command from "effect/cli/Command"
import * as Flag from "effect/cli/Flag"
import * as Console from "effect/Console"
import * as Data from "effect/Data"
import * as Effect from "effect/Effect"
import * as Option from "effect/Option"
import * as Stdio from "effect/Stdio"
import * as Stream from "effect/Stream"
import * as Comparison from "./Comparison.ts"
import * as Frozen from "./Frozen.ts"
import type * as Kind from "./Kind.ts"
import * as All from "./kinds/All.ts"
import * as Show from "./Show.ts"

/** What ends the command with exit code 1. */
class Ended extends Data.TaggedError("Ended")<{ readonly message: string }> {}

const names = All.all.map(({ name }) => name)

const named = (name: string): Effect.Effect<Kind.Kind, Ended> => {
  const kind = All.all.find((one) => one.name === name)
  return kind === undefined
    ? Effect.fail(new Ended({ message: `there is no kind ${name}; the kinds are ${names.join(", ")}` }))
    : Effect.succeed(kind)
}

/** `3` or `3-17`, both ends included. */
const within = (text: string): Effect.Effect<(seed: number) => boolean, Ended> => {
  const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(text) ?? []
  return first === undefined
    ? Effect.fail(new Ended({ message: `${text} are no seeds; write 3 or 3-17` }))
    : Effect.succeed((seed) => seed >= Number(first) && seed <= Number(last))
}

/** Differences that are listed of all kinds together. */
const MOST = 40

const verdict = (same: number, different: number): Effect.Effect<void, Ended> => {
  if (different > 0) return Effect.fail(new Ended({ message: "the engine says something else than it did" }))
  return same > 0 ? Effect.void : Effect.fail(new Ended({ message: "no book was compared" }))
}

const compare = Effect.fnUntraced(function*(kinds: ReadonlyArray<Kind.Kind>, seeds: Option.Option<string>) {
  const isAsked = Option.isNone(seeds) ? () => true : yield* within(seeds.value)
  let same = 0
  const differences: Array<Comparison.Difference> = []
  for (const kind of kinds) {
    const found = yield* Comparison.compare(kind, kind.seeds.filter(isAsked))
    yield* Console.log(`${kind.name}: ${found.same} the same, ${found.differences.length} differ`)
    same += found.same
    differences.push(...found.differences)
  }
  for (const { kind, seed, what } of differences.slice(0, MOST)) yield* Console.log(`DIFFERS ${kind} ${seed}: ${what}`)
  if (differences.length > MOST) yield* Console.log(`… and ${differences.length - MOST} more`)
  yield* Console.log(`${same} the same, ${differences.length} differ`)
  yield* verdict(same, differences.length)
})

const said = (kind: string, { facts, found, words }: Comparison.Changes): string =>
  `${kind}: ${found.digests.size} written, facts of ${facts} and words of ${words} differ`

/** Writes some books of a kind anew where only their words changed, because the codes are counted over all of them. */
const some = Effect.fnUntraced(function*(kind: Kind.Kind, seeds: ReadonlyArray<number>) {
  const changes = yield* Comparison.changes(kind, seeds)
  if (changes.facts > 0) {
    return yield* new Ended({ message: `facts of ${kind.name} differ: leave --seeds out, and write the whole kind` })
  }
  const { found, kept } = changes
  yield* Frozen.write(kind.name, { codes: kept.codes, digests: new Map([...kept.digests, ...found.digests]) })
  return yield* Console.log(said(kind.name, changes))
})

const whole = Effect.fnUntraced(function*(kind: Kind.Kind) {
  const changes = yield* Comparison.changes(kind, kind.seeds)
  yield* Frozen.write(kind.name, changes.found)
  yield* Console.log(said(kind.name, changes))
})

const update = Effect.fnUntraced(function*(kinds: ReadonlyArray<Kind.Kind>, seeds: Option.Option<string>) {
  const isAsked = Option.isNone(seeds) ? undefined : yield* within(seeds.value)
  yield* Effect.forEach(
    kinds,
    (kind) => isAsked === undefined ? whole(kind) : some(kind, kind.seeds.filter(isAsked)),
    { discard: true }
  )
})

const root = Command.make(
  "frozen",
  {
    kind: Flag.String("kind").pipe(Flag.withDescription("Only this kind of books"), Flag.optional),
    seeds: Flag.String("seeds").pipe(Flag.withDescription("Only these seeds: 3 or 3-17"), Flag.optional),
    update: Flag.Boolean("update").pipe(
      Flag.withDescription("Write the digests anew instead of comparing them"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function*(flags) {
    const kinds = Option.isNone(flags.kind) ? All.all : [yield* named(flags.kind.value)]
    yield* flags.update ? update(kinds, flags.seeds) : compare(kinds, flags.seeds)
  })
).pipe(Command.withDescription("Holds what the engine says of thousands of books against what it said"))

const show = Command.make(
  "show",
  {
    kind: Argument.String("kind"),
    seed: Argument.Int("seed"),
    part: Argument.Literals("format", Show.parts).pipe(Argument.optional)
  },
  Effect.fnUntraced(function*({ kind, part, seed }) {
    const text = yield* Show.text(yield* named(kind), seed, Option.getOrUndefined(part))
    const stdio = yield* Stdio.Stdio
    yield* Stream.run(Stream.make(text), stdio.stdout())
  })
).pipe(Command.withDescription("Prints the text of one book, in one format or in all of them"))

export const run = Command.run(Command.withSubcommands(root, [show]), { version: "0.1.0" })
