/** The packed sandbox, as the packed command starts it. */
import { spawn } from "node:child_process"
import { join } from "node:path"
import { createInterface } from "node:readline"

export interface Exchange {
  /** The variables that a program needs to reach it. */
  readonly env: Readonly<Record<string, string>>
  readonly stop: () => Promise<void>
}

/** Starts it with the installed command of this project. */
export const start = async (consumer: string, node: string): Promise<Exchange> => {
  const child = spawn(node, [join(consumer, "node_modules/.bin/tallystick"), "sandbox", "--deposits", "300"], {
    cwd: consumer,
    stdio: ["ignore", "pipe", "inherit"]
  })
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()))
  const env: Record<string, string> = {}
  for await (const line of createInterface(child.stdout)) {
    const [name = "", value = ""] = line.split(/=(.*)/)
    env[name] = value
    if (name === "TALLYSTICK_SECRET_KEY") break
  }
  return {
    env: { ...env, TALLYSTICK_RATE: "1000" },
    stop: () => {
      child.kill("SIGTERM")
      return ended
    }
  }
}
