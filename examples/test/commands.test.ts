/** Every command that a document shows is run, with the files that it names, against a sandbox. */
import { assert, layer } from "@effect/vitest"
import * as Sandbox from "@tallystick/sandbox/Sandbox"
import * as Clock from "effect/Clock"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Redacted from "effect/Redacted"
import { cpSync, mkdirSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { chdir, cwd } from "node:process"
import { temporaryDatabase } from "../../packages/archive/test/support/databases.ts"
import * as Afternoon from "../../packages/cli/test/support/Afternoon.ts"
import { freePort } from "../../packages/cluster/test/kill/Processes.ts"
import * as Command from "./support/Command.ts"
import * as Documents from "./support/Documents.ts"
import { folder } from "./support/Program.ts"

/** Only these blocks hold what is typed; `text` is what comes out. */
const typed = new Set(["sh", "", "ini", "yaml", "crontab"])

/** A command up to where the shell takes over: a pipe, a redirection, another command, a comment. */
const shell = /(?:^|[\s/(])tallystick ((?:"[^"\n]*"|'[^'\n]*'|[^|&;<>#)\n"'])+)/g

const indented = /(?:^|\n)((?: {4}[^\n]*\n)+)/g

const outsideOfLists = (text: string): string => text.replaceAll(/^ *```[^]*?^ *```$/gm, "")

const commandsOf = (document: string): ReadonlyArray<string> => {
  const code = [
    ...Documents.blocks(document).filter(({ language }) => typed.has(language)).map(({ code }) => code),
    ...Array.from(outsideOfLists(Documents.text(document)).matchAll(indented), ([, code = ""]) => code)
  ]
  return code.flatMap((code) =>
    Array.from(
      code.replaceAll(/\\\n|\d?>+ *\S+/g, " ").matchAll(shell),
      ([, command = ""]) => command.trim().replaceAll(/\s+/g, " ")
    )
  ).filter((command) => /^[a-z-]/.test(command))
}

const shown = Documents.names.flatMap((document) => commandsOf(document).map((command) => ({ document, command })))

/** `a "b c"` is two words. */
const words = (command: string): ReadonlyArray<string> =>
  Array.from(
    command.matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g),
    ([, double, single, bare]) => double ?? single ?? bare ?? ""
  )

const isEndless = (command: string): boolean =>
  /^(?:sandbox|cluster runner|console(?! token))\b|--watch\b/.test(command) && !/--help\b/.test(command)

const DAY = 86_400_000

const AT = Date.UTC(2026, 10, 19, 9)

const entry = (id: string, more: object = {}): string =>
  `${JSON.stringify({ id, asset: "USDT", amount: "12.5", at: AT, ...more })}\n`

const deposit = {
  amount: "10.5",
  coin: "USDT",
  network: "TRX",
  status: 5,
  address: "TXYZ",
  txId: "e3b0c442",
  unlockConfirm: "5",
  confirmTimes: "20",
  insertTime: Date.UTC(2026, 9, 7),
  memo: ""
}

const csv = (rows: ReadonlyArray<object>): string =>
  [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))].map((row) => `${row.join(",")}\n`).join("")

/** What the documents call the files of a user. */
const files = (
  accounts: ReadonlyArray<string>,
  addresses: ReadonlyArray<object>
): Readonly<Record<string, string>> => ({
  "accounts.json": JSON.stringify({ list: accounts, complete: true }),
  "addresses.json": JSON.stringify(addresses),
  "addresses.csv": "address,memo,network,account\nTXYZ,,TRX,sub00001\n",
  "deposits.ndjson": entry("d1") + entry("d2"),
  "transfers.ndjson": entry("t1"),
  "ledger.csv": `id,asset,amount,at\nt1,USDT,12.5,${AT}\n`,
  "deposits-2026-10.csv": csv([deposit]),
  "wallet.csv": "Time(UTC),Coin,Quantity,TxID\n2026-10-07 00:30:00,USDT,10.5,a1\n",
  "policy.json": "{\"window\":{\"after\":\"2 hours\"}}",
  "old.json": "{}",
  "new.json": "{\"window\":{\"after\":\"2 hours\"}}",
  "prices.csv": "asset,price\nUSDT,1\nBTC,100000\n",
  "tallystick.json": "{\"accounts\":\"accounts.json\",\"addresses\":\"addresses.json\"}",
  "faults.json": "{\"order\":\"shuffled\"}"
})

const said = (output: string, found: RegExp): string => found.exec(output)?.[1] ?? assert.fail(output)

layer(
  Sandbox.Sandbox.layerInProcess({
    history: { seed: 3, deposits: 60, subAccounts: 2, breaks: 4 },
    rules: { rate: null }
  }).pipe(Layer.provideMerge(Afternoon.layer)),
  { excludeTestServices: true }
)((it) => {
  it.effect("every command that a document shows can be given as it is shown", () =>
    Effect.gen(function*() {
      const { environment, history, secretKey } = yield* Sandbox.Sandbox
      const root = yield* folder
      const before = cwd()
      yield* Effect.acquireRelease(Effect.sync(() => chdir(root)), () => Effect.sync(() => chdir(before)))
      for (const at of [".", "etc/tallystick"]) {
        for (const [name, text] of Object.entries(files(history.subAccounts, history.addressBook))) {
          mkdirSync(dirname(join(root, at, name)), { recursive: true })
          writeFileSync(join(root, at, name), text)
        }
      }
      cpSync(Documents.path("policies"), join(root, "policies"), { recursive: true })
      const env = {
        ...environment(),
        TALLYSTICK_RETRIES: "0"
      }
      // Runners share a database; all other commands of the documents have their archive in a file.
      const database = Redacted.value(yield* temporaryDatabase)
      const run = (command: string) =>
        Command.run(words(command), {
          env: /^cluster\b/.test(command) ? { ...env, TALLYSTICK_DATABASE_URL: database } : env,
          stdin: "{}",
          endless: isEndless(command)
        })

      yield* run("sync --accounts accounts.json --since 71h")
      const { output } = yield* run("reconcile --archive --accounts accounts.json --format json")
      yield* run("reconcile --archive --book --day -2 --accounts accounts.json --addresses addresses.json")
      const ago = (hours: number): string => new Date(history.options.to - hours * 3_600_000).toISOString()
      const booked = yield* run(
        `reconcile --archive --book --from ${ago(60)} --to ${
          ago(5)
        } --accounts accounts.json --addresses addresses.json --format json`
      )
      // An item that can be accepted, because its outcome is final.
      const final = said(booked.output, /"id":"([0-9a-f]{16})","outcome":"discrepancy","code":"[a-z-]+","final":true/)
      const items = (yield* run("open --state open --format json")).output
      const item = said(items, new RegExp(`"id": ?"(i[0-9a-f]{16})"[^}]*?"outcome": ?"${final}"`))
      const outcome = said(output, /"id": ?"([0-9a-f]{6,})"/)
      const entry = (side: string) => said(output, new RegExp(`"${side}s": ?\\[\\s*\\{\\s*"id": ?"([^"]+)"`))
      const [deposit, transfer] = [entry("deposit"), entry("transfer")]
      const note = { kind: "note", entries: [{ side: "deposit", id: deposit }], words: "asked the exchange" }
      writeFileSync(join(root, "decisions.ndjson"), JSON.stringify(note))
      // The documents import other records into their archive, beside which no day is known well enough to be closed.
      const now = yield* Clock.currentTimeMillis
      const midnight = now - now % DAY
      const day = [midnight - 2 * DAY, midnight - DAY].map((ms) => new Date(ms).toISOString())
      yield* run("sync --accounts accounts.json --archive-file closed.db")
      yield* run(`reconcile --archive-file closed.db --book --from ${day[0]} --to ${day[1]} --accounts accounts.json`)
      yield* Command.run(words("sync --accounts accounts.json --since 71h"), {
        env: { ...env, TALLYSTICK_DATABASE_URL: database }
      })
      const job = said(
        (yield* run("cluster reconcile --day -2 --accounts accounts.json --declare --detach")).output,
        /^([0-9a-f]{64})$/m
      )
      const port = yield* freePort
      const recorded = said((yield* run("runs")).output, /^(r[0-9a-f]{5,})/m)

      /** What cannot be known when a document is written, or is not ours to touch. */
      const here = (command: string): string =>
        command
          .replace(/\bi3f2a\b/, item)
          .replace("$execution", "1")
          .replaceAll(/\b(?:r3f2a|r9c41)\b/g, recorded)
          // Nobody does what is submitted here, so that nobody waits for it.
          .replace(/^cluster reconcile\b.*/, "$& --detach")
          .replace(/^(cluster \w+) 3f2a\b/, `$1 ${job}`)
          .replace(/--address \S+/, `--address ${port}`)
          .replace(/\b9c41d0\b/, outcome)
          .replace(/\b0x9c41\b/, deposit)
          .replace(/\b1374112877\b/, transfer)
          .replace("$head", `0@${"0".repeat(64)}`)
          .replaceAll("$day", "2026-11-19")
          .replace(/--port (?:8089|4711)\b/, "--port 0")
          .replace(/^(?:close|periods|reopen)\b.*/, "$& --archive-file closed.db")
          .replace(/^(?:demo|sandbox)\b(.*)$/, (whole) => `${whole.replace(/ --deposits \d+/, "")} --deposits 60`)
          .replaceAll(
            /(?<=\s)\/(?:etc|var\/lib|var\/www)\/(?=\S)/g,
            (path) => `${root}${path.replace("var/www", "etc")}`
          )

      mkdirSync(join(root, "var/lib/tallystick"), { recursive: true })
      const refused: Array<string> = []
      // A decision that no document revokes before; its number depends on what the documents decided until then.
      const revocable = Effect.map(
        run(`decide note ${deposit} --words asked`),
        ({ output }) => said(output, /^ *(\d+) /m)
      )
      // A setting that waits for another person; after it was approved, documents decide as before.
      const approvable = Effect.map(
        run("archive setting --approvals off --words alone --by clerk"),
        ({ output }) => said(output, /decide approve (\d+)/)
      )
      // A discrepancy is accepted as it was when the books were brought forward, before other documents read and import more.
      const isFirst = ({ command }: (typeof shown)[number]): number => command.startsWith("decide accept") ? 0 : 1
      const ordered = shown.toSorted((a, b) => isFirst(a) - isFirst(b))
      for (const command of new Set(ordered.map(({ command }) => command))) {
        const known = here(command)
        const asked = /^decide revoke \d/.test(known)
          ? known.replace(/\d+/, yield* revocable)
          : /^decide approve \d/.test(known)
          ? known.replace(/\d+/, yield* approvable)
          : known
        const { exitCode, output } = yield* run(asked)
        if (exitCode === 2 || output.includes("internal error")) refused.push(`${command}\n${output.slice(0, 600)}`)
        assert.notInclude(command.startsWith("sandbox") ? "" : output, Redacted.value(secretKey), command)
      }
      assert.isAbove(shown.length, 20)
      assert.deepStrictEqual(refused, [])
    }))
})
