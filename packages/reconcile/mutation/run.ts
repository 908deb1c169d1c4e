/**
 * Disables one rule after the other in a copy of the sources, and shows that the tests notice: `node run.ts`, from
 * anywhere, on Node 24; `node run.ts 2/6` tries the second of six parts. Exits with 1 if a rule can be disabled
 * unnoticed, or if it could not be told.
 *
 *   TALLYSTICK_MUTATIONS       how many are tried (default all)
 *   TALLYSTICK_MUTATION_SEED   which ones, where not all are (default 1)
 *   TALLYSTICK_MUTATION_ONLY   only those whose names hold this text
 *   TALLYSTICK_CASES           generated cases for each property (default 300)
 */
import { spawnSync } from "node:child_process"
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join, resolve } from "node:path"
import { fileURLToPath } from "node:url"
import * as Generator from "../test/support/Generator.ts"
import { apply, type Mutation } from "./Mutation.ts"
import { mutations } from "./mutations.ts"

const root = resolve(dirname(fileURLToPath(import.meta.url)), "../../..")
const env = { ...process.env, TALLYSTICK_CASES: process.env["TALLYSTICK_CASES"] ?? "300" }

/** How long the tests of one mutation may take, ms. A test that never ends shows nothing. */
const LIMIT = 300_000

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

/** What the tests need, in a folder of its own; what is installed is shared. */
const copy = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "tallystick-mutation-"))
  symlinkSync(join(root, "node_modules"), join(folder, "node_modules"))
  cpSync(join(root, "docs"), join(folder, "docs"), { recursive: true })
  for (const name of ["core", "reconcile"]) {
    mkdirSync(join(folder, "packages", name), { recursive: true })
    for (const part of ["package.json", "src", "test", "mutation", "node_modules"]) {
      const source = join(root, "packages", name, part)
      if (!existsSync(source)) continue
      cpSync(source, join(folder, "packages", name, part), { recursive: true, verbatimSymlinks: true })
    }
  }
  return folder
}

interface Failure {
  readonly test: string
  readonly message: string
}

interface Run {
  readonly passed: number
  /** The first test that failed. */
  readonly failure: Failure | undefined
  /** What else went wrong: a file that did not load, a run that did not end. */
  readonly trouble: string | undefined
}

/** The part of the JSON report that is looked at. */
interface Report {
  readonly numPassedTests: number
  readonly testResults: ReadonlyArray<{
    readonly message?: string
    readonly assertionResults: ReadonlyArray<{
      readonly status: string
      readonly fullName: string
      readonly failureMessages: ReadonlyArray<string>
    }>
  }>
}

const test = (folder: string, files: ReadonlyArray<string>, bail: boolean): Run => {
  const output = join(folder, "report.json")
  rmSync(output, { force: true })
  const { status } = spawnSync(process.execPath, [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    "--root",
    join(folder, "packages/reconcile"),
    "--testTimeout",
    "60000",
    "--reporter",
    "json",
    "--outputFile",
    output,
    // One worker that loads everything once: the tests are short.
    "--no-isolate",
    "--maxWorkers",
    "1",
    ...(bail ? ["--bail", "1"] : []),
    ...files
  ], { cwd: folder, env, stdio: "ignore", timeout: LIMIT, killSignal: "SIGKILL" })
  if (!existsSync(output)) {
    return { passed: 0, failure: undefined, trouble: status === null ? "the tests did not end" : "nothing was tested" }
  }
  const report: Report = JSON.parse(readFileSync(output, "utf8"))
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    .find((one) => one.status === "failed")
  const failure = failed === undefined
    ? undefined
    : { test: failed.fullName, message: failed.failureMessages[0]?.split("\n")[0] ?? "" }
  const slow = failure !== undefined && failure.message.includes("timed out")
  const broken = failure === undefined && status !== 0
    ? report.testResults.map(({ message }) => message ?? "").join(" ").trim() || "the tests could not be run"
    : undefined
  return {
    passed: report.numPassedTests,
    failure: slow ? undefined : failure,
    trouble: slow ? failure.message : broken
  }
}

const chosen = (): ReadonlyArray<Mutation> => {
  const only = process.env["TALLYSTICK_MUTATION_ONLY"] ?? ""
  const named = mutations.filter(({ file, name }) => `${file}: ${name}`.includes(only))
  const count = Number(process.env["TALLYSTICK_MUTATIONS"] ?? named.length)
  if (count >= named.length) return named
  const kept = new Set(
    Generator.make(Number(process.env["TALLYSTICK_MUTATION_SEED"] ?? 1)).shuffle(named).slice(0, count)
  )
  return named.filter((mutation) => kept.has(mutation))
}

/** One of several parts of about the same size, where the command asks for one. */
const part = (all: ReadonlyArray<Mutation>): ReadonlyArray<Mutation> => {
  const [number = 1, parts = 1] = (process.argv[2] ?? "1/1").split("/").map(Number)
  return all.filter((_, index) => index % parts === number - 1)
}

/** Whether the tests notice; leaves the sources as they were. */
const attempt = (folder: string, mutation: Mutation): "caught" | "SURVIVED" | "UNDECIDED" => {
  const path = join(folder, "packages/reconcile/src", mutation.file)
  const text = readFileSync(path, "utf8")
  const mutated = apply(mutation, text)
  const what = `${mutation.file}: ${mutation.name}`
  if (mutated === undefined) {
    say(`UNDECIDED  ${what}\n           its text does not stand in the file exactly once`)
    return "UNDECIDED"
  }
  writeFileSync(path, mutated)
  const { failure, passed, trouble } = test(folder, mutation.tests, true)
  writeFileSync(path, text)
  if (failure !== undefined) {
    say(`caught     ${what}\n           by "${failure.test}"`)
    return "caught"
  }
  const verdict = trouble === undefined ? "SURVIVED" : "UNDECIDED"
  say(`${verdict.padEnd(9)}  ${what}\n           ${trouble ?? `${passed} tests passed`}`)
  return verdict
}

const main = (): number => {
  const all = chosen()
  const list = part(all)
  if (all.length === 0) return 1
  const folder = copy()
  try {
    const files = Array.from(new Set(all.flatMap(({ tests }) => tests)))
    const { failure, passed, trouble } = test(folder, files, false)
    if (failure !== undefined || trouble !== undefined) {
      say(`The tests fail as it is: ${failure?.test ?? trouble ?? ""}\n${failure?.message ?? ""}`)
      return 1
    }
    say(`${passed} tests pass while all rules are in force`)
    const verdicts = list.map((mutation) => attempt(folder, mutation))
    const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length
    const undecided = count("UNDECIDED") === 0 ? "" : `, ${count("UNDECIDED")} undecided`
    say(`mutations: ${count("caught")} caught, ${count("SURVIVED")} survived${undecided}`)
    return count("caught") === list.length ? 0 : 1
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

process.exitCode = main()
