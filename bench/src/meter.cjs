/**
 * Loaded into every Node process of a contender: as the process ends, it adds a line to the file of `BENCH_METER` with the
 * processor time of all its threads and the most memory that it held.
 */
const { isMainThread } = require("node:worker_threads")
const { appendFileSync, readFileSync } = require("node:fs")

if (isMainThread && process.env.BENCH_METER !== undefined) {
  let begin
  process.once("bench:loaded", () => {
    begin = process.cpuUsage()
  })
  process.on("exit", () => {
    const { system, user } = process.cpuUsage(begin)
    // The resource usage would begin at the memory of the parent process.
    const peak = Number(/VmHWM:\s+(\d+)/.exec(readFileSync("/proc/self/status", "utf8"))?.[1])
    appendFileSync(process.env.BENCH_METER, `${JSON.stringify({ cpu: (user + system) / 1000, peak: peak / 1024 })}\n`)
  })
}
