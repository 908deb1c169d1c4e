/** Processes that take turns: each waits until it is told to begin, and answers when it is done. */
import { type ChildProcess, fork } from "node:child_process"
import { once } from "node:events"

export const start = (file: URL, argument: string): ChildProcess =>
  fork(file, [argument], { execArgv: ["--expose-gc"] })

/** The next message of a process, which ends the benchmark when it ends instead. */
export const answer = async <A>(child: ChildProcess): Promise<A> => {
  const ended = new AbortController()
  const [message] = await Promise.race([
    once(child, "message", { signal: ended.signal }),
    once(child, "exit", { signal: ended.signal }).then(([code]) => {
      throw new Error(`a process ended with ${code}`)
    })
  ]).finally(() => ended.abort())
  return message
}
