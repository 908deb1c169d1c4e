/**
 * Switches one rule after the other off, and shows that a test notices: `node run.ts`, from anywhere, on Node 24; `node run.ts 2/6`
 * tries the second of six parts. It exits with 1 if a rule can be lost unnoticed, or if that could not be told.
 *
 *   TALLYSTICK_MUTATIONS      how many rules are tried, spread over the list (default all)
 *   TALLYSTICK_MUTATION_ONLY  only those whose names hold this text
 *   TALLYSTICK_CASES          generated cases for each property (default 300)
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import * as Mutation from "./Mutation.ts"
import { mutations } from "./mutations.ts"

const root = resolve(import.meta.dirname, "../../..")
const folder = mkdtempSync(join(tmpdir(), "tallystick-mutation-"))

/** How long the tests of one rule may take, ms. A test that never ends shows nothing. */
const LIMIT = 300_000

const say = (line: string): void => {
  process.stdout.write(`${line}\n`)
}

interface Run {
  readonly passed: number
  /** The first test that failed, and why. */
  readonly failure: { readonly test: string; readonly message: string } | undefined
  /** What else went wrong: a file that did not load, a run that did not end, a replacement that does not fit. */
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

/** Runs test files, by their paths, without the rule if one is given. */
const run = (files: Iterable<string>, rule = ""): Run => {
  const output = join(folder, "report.json")
  rmSync(output, { force: true })
  const { status } = spawnSync(process.execPath, [
    join(root, "node_modules/vitest/vitest.mjs"),
    "run",
    `--config=${join(import.meta.dirname, "vitest.config.ts")}`,
    "--bail=1",
    "--reporter=json",
    `--outputFile=${output}`,
    ...files
  ], {
    cwd: root,
    env: { ...process.env, TALLYSTICK_CASES: process.env["TALLYSTICK_CASES"] ?? "300", TALLYSTICK_MUTATION: rule },
    stdio: "ignore",
    timeout: LIMIT,
    killSignal: "SIGKILL"
  })
  if (!existsSync(output)) {
    return { passed: 0, failure: undefined, trouble: status === null ? "the tests did not end" : "nothing was tested" }
  }
  const report: Report = JSON.parse(readFileSync(output, "utf8"))
  const failed = report.testResults.flatMap(({ assertionResults }) => assertionResults)
    .find((one) => one.status === "failed")
  const message = failed?.failureMessages[0]?.split("\n")[0] ?? ""
  const broken = failed === undefined && status !== 0
    ? report.testResults.map(({ message }) => message ?? "").join(" ").trim() || "the tests could not be run"
    : undefined
  // Whatever stands for the rule has to let the tests judge: a crash shows nothing, nor does a test that was too slow.
  const trouble = /^(?:Type|Reference|Syntax)Error|timed out/u.test(message) ? message : broken
  const failure = failed === undefined || trouble !== undefined ? undefined : { test: failed.fullName, message }
  return { passed: report.numPassedTests, failure, trouble }
}

const chosen = (): ReadonlyArray<Mutation.Mutation> => {
  const only = process.env["TALLYSTICK_MUTATION_ONLY"] ?? ""
  const named = mutations.filter(({ rule }) => rule.includes(only))
  const count = Math.min(named.length, Number(process.env["TALLYSTICK_MUTATIONS"] ?? named.length))
  return named.filter((_, index) =>
    Math.floor((index + 1) * count / named.length) > Math.floor(index * count / named.length)
  )
}

/** One of several parts of about the same size, where the command asks for one. */
const part = (all: ReadonlyArray<Mutation.Mutation>): ReadonlyArray<Mutation.Mutation> => {
  const [number = 1, parts = 1] = (process.argv[2] ?? "1/1").split("/").map(Number)
  return all.filter((_, index) => index % parts === number - 1)
}

/** Whether a test notices that the rule is off. */
const attempt = (mutation: Mutation.Mutation): "caught" | "SURVIVED" | "UNDECIDED" => {
  const { failure, passed, trouble } = Mutation.read(mutation) === undefined
    ? { failure: undefined, passed: 0, trouble: "no module of that name declares it once" }
    : run([Mutation.testOf(mutation)], mutation.rule)
  const verdict = failure !== undefined ? "caught" : trouble === undefined ? "SURVIVED" : "UNDECIDED"
  const because = failure === undefined ? trouble ?? `${passed} tests passed` : `by "${failure.test}"`
  say(`${verdict.padEnd(9)}  ${mutation.rule}\n           ${because}`)
  return verdict
}

const main = (): number => {
  const all = chosen()
  const list = part(all)
  if (all.length === 0) return 1
  // Without a file to run, vitest would run all of them.
  const files = new Set((list.length === 0 ? all : list).map(Mutation.testOf))
  const { failure, passed, trouble } = run(files)
  if (failure !== undefined || trouble !== undefined) {
    say(`The tests fail as it is: ${failure?.test ?? trouble ?? ""}\n${failure?.message ?? ""}`)
    return 1
  }
  say(`${passed} tests pass while all rules are in force`)
  const verdicts = list.map(attempt)
  const count = (wanted: string): number => verdicts.filter((verdict) => verdict === wanted).length
  const undecided = count("UNDECIDED") === 0 ? "" : `, ${count("UNDECIDED")} undecided`
  say(`mutations: ${count("caught")} caught, ${count("SURVIVED")} survived${undecided}`)
  return count("caught") === list.length ? 0 : 1
}

try {
  process.exitCode = main()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
