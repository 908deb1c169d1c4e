/** The process: the only place that provides platform layers and runs. */
// oxlint-disable-next-line import/no-unassigned-import -- it works by being loaded
import "effect/schema/SchemaJITCompiler/enable"
import * as NodeCrypto from "@effect/platform-node/NodeCrypto"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import * as NodeServices from "@effect/platform-node/NodeServices"
import * as Effect from "effect/Effect"
import * as Runtime from "effect/Runtime"
import * as Stdio from "effect/Stdio"
import { setFlagsFromString } from "node:v8"
import * as ExitCode from "./ExitCode.ts"
import * as Failure from "./Failure.ts"
import * as Network from "./network/Network.ts"
import * as Tallystick from "./Tallystick.ts"

// Entries live for an hour or two of record time and then die: left alone, V8 lets them pile up to several times what lives.
// Less than 50 takes a tenth more processor time, and hardly less memory.
setFlagsFromString("--heap-growing-percent=50")

// Node 22 calls node:sqlite experimental; of every other warning it is told as Node would.
const [tellWarning] = process.listeners("warning")
process.removeAllListeners("warning").on("warning", (warning) => {
  if (!(warning.name === "ExperimentalWarning" && warning.message.startsWith("SQLite "))) tellWarning?.(warning)
})

/** A process that exits drops what a pipe has not taken yet: first the readers get everything, or go away. */
const afterLastByte = (done: () => void): void => {
  for (const stream of [process.stdout, process.stderr]) stream.on("error", () => undefined)
  process.stdout.write("", () => process.stderr.write("", done))
}

const ending = { exitCode: 130 }
let isTerminated = false
let isReaderGone = false
process.once("SIGTERM", () => void (isTerminated = true))

// A terminal that goes away ends the command as SIGTERM does. Nothing is taken from nohup: Node undoes what it does.
process.on("SIGHUP", () => void process.emit("SIGTERM", "SIGTERM"))

// The same where the reader of its messages went away, which a supervisor shall take for a failure. What cannot be written for
// another reason, such as a full disk, stops nothing: the records matter more than what is said of them.
process.stderr.on("error", (error: NodeJS.ErrnoException) => {
  if (error.code !== "EPIPE") return
  isReaderGone = true
  process.emit("SIGTERM", "SIGTERM")
})

// Node would open its debugger to every program of this machine, and with it the memory that holds the secret.
process.on("SIGUSR1", () => undefined)

// A diagnostic report that somebody asked Node for would show the variables, and with them the secrets.
process.report.excludeEnv = true

/** `Runtime` ends every interruption with the exit code of Ctrl-C. */
const exitCode = (code: number): number => {
  if (isReaderGone) return Failure.exitCodes.readerGone
  return code === 130 && isTerminated ? ending.exitCode : code
}

Stdio.Stdio.use(({ args }) => Effect.flatMap(args, Tallystick.run)).pipe(
  Effect.provideService(ExitCode.ExitCode, ending),
  Effect.provide([NodeServices.layer, Network.layer, NodeCrypto.layerMac, NodeCrypto.layerDigest]),
  NodeRuntime.runMain({
    disableErrorReporting: true,
    teardown: (exit, onExit) => Runtime.defaultTeardown(exit, (code) => afterLastByte(() => onExit(exitCode(code))))
  })
)
