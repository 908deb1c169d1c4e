/** Runners as an operator starts them, and what they take. */
import { spawn } from "node:child_process"
import { once } from "node:events"
import { createServer } from "node:net"
import { fileURLToPath } from "node:url"
import * as Machine from "./Machine.ts"

export const bundle = fileURLToPath(new URL("../../../packages/cli/dist/bundle/main.js", import.meta.url))

export interface Runner {
  /** Processor time until now, ms. */
  readonly cpu: () => number
  /** MB. */
  readonly memory: () => number
  /** So often it said that it tries a job again. */
  readonly again: () => number
  /** What it said on stderr. */
  readonly said: () => string
  readonly end: () => Promise<void>
}

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, "127.0.0.1")
  await once(server, "listening")
  const address = server.address()
  server.close()
  return typeof address === "object" && address !== null ? address.port : 0
}

/** Starts a runner over a database, and waits until it takes jobs. */
export const start = async (url: string): Promise<Runner> => {
  const child = spawn(process.execPath, [bundle, "cluster", "runner", "--address", String(await freePort())], {
    stdio: ["ignore", "ignore", "pipe"],
    env: { ...process.env, TALLYSTICK_DATABASE_URL: url }
  })
  // A benchmark that fails leaves no runner behind.
  const kill = (): void => void child.kill("SIGKILL")
  process.once("exit", kill)
  let said = ""
  await new Promise<void>((resolve, reject) => {
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      said += text
      if (said.includes("takes jobs")) resolve()
    })
    child.once("exit", () => reject(new Error(said)))
  })
  const pid = child.pid ?? 0
  return {
    cpu: () => Machine.cpuOf(pid),
    memory: () => Machine.memoryOf(pid),
    again: () => said.split("is tried again").length - 1,
    said: () => said,
    end: async () => {
      process.off("exit", kill)
      const gone = once(child, "exit")
      child.kill("SIGTERM")
      await gone
    }
  }
}
