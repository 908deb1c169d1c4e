import { assert, describe, it } from "@effect/vitest"
import type * as Accounts from "@tallystick/reconcile/Accounts"
import type * as Report from "@tallystick/reconcile/Report"
import * as Identity from "@tallystick/report/Identity"
import * as DateTime from "effect/DateTime"
import { execFileSync } from "node:child_process"
import * as Sample from "../../reconcile/test/reportSample.ts"
import * as Advice from "../src/internal/content/Advice.ts"
import * as CommandLine from "../src/internal/content/CommandLine.ts"
import * as Masking from "../src/Masking.ts"

const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

const range = (from: string, to: string): Report.Summary["range"] => ({ from: Date.parse(from), to: Date.parse(to) })

describe("the title of a report", () => {
  it("is the day, the days, the month or the moments that it is about, in its zone", () => {
    const of = (from: string, to: string) => Identity.title({ range: range(from, to) }, berlin)
    assert.strictEqual(of("2026-11-16T23:00Z", "2026-11-17T23:00Z"), "Tuesday 17 November 2026, Europe/Berlin")
    assert.strictEqual(of("2026-10-24T22:00Z", "2026-10-25T23:00Z"), "Sunday 25 October 2026, Europe/Berlin")
    assert.strictEqual(of("2026-11-15T23:00Z", "2026-11-20T23:00Z"), "16 to 20 November 2026, Europe/Berlin")
    assert.strictEqual(of("2026-10-29T23:00Z", "2026-11-02T23:00Z"), "30 October to 2 November 2026, Europe/Berlin")
    assert.strictEqual(of("2026-10-31T23:00Z", "2026-11-30T23:00Z"), "November 2026, Europe/Berlin")
    assert.strictEqual(
      of("2026-12-30T23:00Z", "2027-01-01T23:00Z"),
      "31 December 2026 to 1 January 2027, Europe/Berlin"
    )
    assert.strictEqual(
      of("2026-11-17T07:00Z", "2026-11-17T08:30:00.001Z"),
      "17 November 2026 08:00 to 17 November 2026 09:30:00.001, Europe/Berlin"
    )
  })

  it("says so where there is no range, or none on one side", () => {
    assert.strictEqual(Identity.title({ range: null }, undefined), "Everything that was read")
    const to = Date.parse("2026-11-17T00:00Z")
    assert.strictEqual(Identity.title({ range: { from: 0, to } }, undefined), "All before 17 November 2026 00:00, UTC")
  })
})

describe("the identity of a report", () => {
  const identity = { title: "Books of a", run: "r3f2a00112233", archive: "a.db", madeBy: "a (claimed)", policy: "00ff" }

  it("suggests the name of a file that says what is in it, and holds nothing that a shell or a file system minds", () => {
    const day = range("2026-11-16T23:00Z", "2026-11-17T23:00Z")
    assert.strictEqual(Identity.fileName({ identity, range: day }, berlin), "tallystick-2026-11-17-Europe-Berlin-r3f2a")
    assert.strictEqual(
      Identity.fileName({ range: range("2026-11-16T00:00Z", "2026-11-18T00:00Z") }, undefined),
      "tallystick-2026-11-16-2026-11-17-UTC"
    )
  })

  it("says how many decisions that it follows were approved, and by whom; nothing where none was", () => {
    const approved = { decisions: 2, by: ["controller", "auditor (claimed)"] }
    const text = (identity: Report.Identity) =>
      Identity.facts({ identity, range: null }, undefined).find(({ label }) => label === "Approved")?.text
    assert.strictEqual(text({ approved }), "2 decisions that it follows, by controller and auditor (claimed)")
    assert.isUndefined(text({}))
  })

  it("names no account in a masked report, and has no digest by which names could be guessed", () => {
    const masked = Masking.report(
      {
        ...Sample.report(),
        identity: { ...identity, approved: { decisions: 2, by: ["a"] }, given: [{ flag: "accounts", file: "a.json" }] }
      },
      { list: ["a"], complete: true } satisfies Accounts.Accounts
    )
    assert.deepStrictEqual(masked.identity, {
      title: "Books of account-1",
      run: "r3f2a00112233",
      archive: "account-1.db",
      given: [{ flag: "accounts", file: "-" }],
      madeBy: "account-1 (claimed)",
      approved: { decisions: 2, by: ["account-1"] }
    })
  })
})

describe("a command to copy", () => {
  it("passes every word on as it is, whatever a stranger wrote in it", () => {
    const names = [
      "a b",
      "it's",
      "$(reboot)",
      "`id`",
      "a;b",
      "-x",
      "--seen",
      "\"",
      "\\",
      "*",
      "~",
      "#",
      "",
      "ü",
      "a\nb"
    ]
    for (const name of names) {
      const command = CommandLine.of(["decide", "note", "--words", "say why here"], [name])
      const script = `tallystick() { printf '%s\\0' "$@"; }; ${command}`
      const words = execFileSync("sh", ["-c", script], { encoding: "utf8" }).split("\0").slice(0, -1)
      assert.deepStrictEqual(words.filter((word) => word !== "--"), ["decide", "note", "--words", "say why here", name])
      assert.strictEqual(words.includes("--"), name.startsWith("-"))
    }
    assert.deepStrictEqual(names.filter((name) => !CommandLine.isShown(name)), ["", "a\nb"])
  })

  it("names the files that the report was made of, and is not there where one of them cannot be named", () => {
    const outcome = Sample.report().outcomes.find(({ outcome }) => outcome === "discrepancy")
    assert.isDefined(outcome)
    const commands = (...given: Advice.Scope["given"]) =>
      Advice.of({ ...outcome, final: true }, { isKept: true, isBooked: true, isMasked: false, given })?.commands.map((
        { text }
      ) => text)
        .filter((text) => !text.startsWith("tallystick decide link"))
    assert.deepStrictEqual(
      commands({ flag: "archive-file", file: "a b.db" }, { flag: "policy", file: "it's.json" }),
      [
        `tallystick item --archive-file 'a b.db' ${outcome.id}`,
        "tallystick decide accept --reason other --words 'say why here' --dry-run --archive-file 'a b.db' " +
        `--policy 'it'\\''s.json' ${outcome.id}`
      ]
    )
    assert.deepStrictEqual(commands({ flag: "accounts", file: "-" }), [`tallystick item ${outcome.id}`])
    assert.deepStrictEqual(commands({ flag: "archive-file", file: "a\nb" }), [])
  })
})
