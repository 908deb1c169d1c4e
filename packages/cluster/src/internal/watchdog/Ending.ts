/** The way out of a process whose main thread may be stuck: the watchdog has it run this through the inspector. */
import { closeSync } from "node:fs"

/** The exit code of a runner that was ended by its watchdog. */
export const EXIT_CODE = 70

const NAME = "@tallystick/cluster/Watchdog"

const STDERR = 2

/** Text of JavaScript that ends the process, wherever its main thread is. */
export const EXPRESSION = `globalThis[Symbol.for("${NAME}")]?.()`

/** Makes the text mean that. Node would otherwise say on stderr that it waits for a debugger. */
export const prepare = (): void => {
  Reflect.set(globalThis, Symbol.for(NAME), () => {
    closeSync(STDERR)
    process.exit(EXIT_CODE)
  })
}
