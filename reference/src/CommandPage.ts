/** `docs/reference/command.md`: the help of every command, as the command itself prints it. */
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Commands from "@tallystick/cli/commands/Commands"
import * as Tallystick from "@tallystick/cli/Tallystick"
import type * as Command from "effect/cli/Command"
import * as TerminalCapabilities from "effect/cli/TerminalCapabilities"
import * as ConfigProvider from "effect/ConfigProvider"
import * as Console from "effect/Console"
import * as Effect from "effect/Effect"
import * as HttpClient from "effect/http/HttpClient"
import * as Layer from "effect/Layer"
import * as Stdio from "effect/Stdio"
import * as TestConsole from "effect/testing/TestConsole"
import * as Generated from "./Generated.ts"
import * as Markdown from "./Markdown.ts"

/** Runs the command without colours, terminal width and environment, so that the page is the same on every machine. */
const layer = Layer.mergeAll(
  NodeServices.layer,
  Stdio.layerTest({}),
  Layer.succeed(HttpClient.HttpClient, HttpClient.make(() => Effect.die("help asks nobody"))),
  Layer.succeed(TerminalCapabilities.TerminalCapabilities, { canColor: false, canAnimate: false, canPrompt: false }),
  ConfigProvider.layer(ConfigProvider.fromEnvRecord({}))
)

const help = Effect.fnUntraced(function*(path: ReadonlyArray<string>) {
  const console = yield* TestConsole.make
  yield* Effect.provideService(Tallystick.run([...path, "--help"]), Console.Console, console)
  return (yield* console.logLines).map(String).join("\n")
})

/** Returns the path of every command, each before the commands below it. */
const paths = (
  commands: ReadonlyArray<Command.Command.Any>,
  above: ReadonlyArray<string>
): ReadonlyArray<ReadonlyArray<string>> =>
  commands.flatMap(({ name, subcommands }) => {
    const path = [...above, name]
    return [path, ...paths(subcommands.flatMap(({ commands }) => commands), path)]
  })

const EVERY_COMMAND = "FLAGS OF EVERY COMMAND"

/** The flags that every command takes are described once, with the command itself. */
const own = (path: ReadonlyArray<string>, text: string): string =>
  path.length === 0 ? text : text.replace(new RegExp(`^${EVERY_COMMAND}\\n(?: {2}.*\\n?)+\\n?`, "m"), "")

const section = Effect.fnUntraced(function*(path: ReadonlyArray<string>) {
  const text = yield* help(path)
  return [`## \`${["tallystick", ...path].join(" ")}\``, Markdown.block("text", own(path, text))]
})

export const page: Effect.Effect<Generated.Generated, unknown> = Effect.gen(function*() {
  // The request for completions lists all commands.
  const commands = yield* Commands.named(["--completions"])
  const sections = yield* Effect.forEach([[], ...paths(commands, [])], section)
  return Generated.page("docs/reference/command.md", [
    "# Command reference",
    "What `tallystick --help` and `tallystick COMMAND --help` print. The flags of every command are told once, at the top; " +
    "variables of the environment and the configuration file in [configuration.md](configuration.md).",
    ...sections.flat()
  ])
}).pipe(Effect.provide(layer))
