import { assert, describe, it } from "@effect/vitest"
import * as ArchiveError from "@tallystick/archive/ArchiveError"
import * as Run from "@tallystick/archive/Run"
import * as Failure from "@tallystick/cli/Failure"
import * as ProxyFailure from "@tallystick/cli/network/ProxyFailure"
import * as BrokerError from "@tallystick/core/BrokerError"
import * as Coverage from "@tallystick/core/Coverage"
import { InvalidRange } from "@tallystick/core/InvalidRange"
import * as InvalidHeader from "@tallystick/reconcile/InvalidHeader"
import * as PolicyError from "@tallystick/reconcile/PolicyError"
import * as Unordered from "@tallystick/reconcile/Unordered"
import { readFileSync } from "node:fs"

const text = readFileSync(new URL("../../../docs/troubleshooting.md", import.meta.url), "utf8")

/** Sections by their heading. */
const sections = new Map(
  text.split(/^### /m).slice(1).map((section) => {
    const end = section.indexOf("\n")
    return [section.slice(0, end), section.slice(end).replace(/\n(?:## [^]*)?$/, "").replaceAll("\n", " ")] as const
  })
)

const section = (heading: string): string => {
  const found = sections.get(heading)
  assert(found !== undefined, `${heading} has no section`)
  return found
}

const service = { code: "700000", serviceMessage: "why" }

const samples: ReadonlyArray<BrokerError.Reason> = [
  new BrokerError.InvalidParameter({ parameter: "limit", actual: "0", allowed: "1 to 500" }),
  new BrokerError.InvalidRequest(service),
  new BrokerError.KeyRejected(service),
  new BrokerError.SignatureRejected(service),
  new BrokerError.ClockSkew({ ...service, offset: 7 }),
  new BrokerError.PermissionDenied({ ...service, permission: "SPOT_DEPOSIT_READ" }),
  new BrokerError.ProtocolError({ status: 302, detail: "a redirect", excerpt: "" }),
  new BrokerError.RateLimited({ ...service, retryAfter: 1000 }),
  new BrokerError.Banned({ until: 0, remaining: 1000 }),
  new BrokerError.Unavailable({ detail: "down", attempts: 1, sent: true }),
  new BrokerError.OutcomeUnknown({ subAccount: "sub00001", note: "n", detail: "lost" }),
  new BrokerError.QuotaExceeded(service),
  new BrokerError.AccountRejected(service),
  new BrokerError.ServiceError({ ...service, status: 400 }),
  new BrokerError.SigningFailed({ detail: "why" }),
  new BrokerError.Incomplete({ coverage: { operation: "deposits", from: 0, to: 1, readAt: 1, state: "incomplete" } }),
  new BrokerError.NotOffered({ detail: "HTTP 404" }),
  new BrokerError.IncompleteList({ detail: "page 2 shows \"sub00001\" a second time", seen: 7 })
]

describe("docs/troubleshooting.md", () => {
  it("has a section for every reason, which says what its message says", () => {
    const tags = samples.map(({ _tag }) => _tag)
    assert.deepStrictEqual(BrokerError.Reason.members.map(({ fields }) => fields._tag.schema.literal), tags)
    for (const { _tag, message } of samples) {
      const [, quoted = ""] = /^ +Says `([^`]+)`/.exec(section(`\`${_tag}\``)) ?? []
      assert.notStrictEqual(quoted, "", _tag)
      for (const part of quoted.split("…")) assert.include(message, part.trim(), _tag)
    }
  })

  it("tells every cause that a proxy is to blame for", () => {
    const causes = [...section("`Unavailable`").matchAll(/\| `((?:no connection to the proxy|Proxy)[^`]*)`/g)]
      .map(([, cause = ""]) => cause)
    assert.deepStrictEqual(
      causes.map((cause) =>
        ProxyFailure.read(cause.replace(/^Proxy response.*$/, "$& !== 200 when HTTP Tunneling"))?.kind
      ),
      ["unreached", "refused", "refused", "refused", "closed"]
    )
  })

  it("has a section for every error of an archive, which says what its message says and how the command ends", () => {
    const place = { place: "books.db" }
    const archive: ReadonlyArray<ArchiveError.Reason> = [
      new ArchiveError.Locked(place),
      new ArchiveError.Held({ ...place, holder: "sync" }),
      new ArchiveError.Superseded({ ...place, holder: "sync" }),
      new ArchiveError.Reverted(place),
      new ArchiveError.Aliased({ ...place, detail: "why" }),
      new ArchiveError.Remote({ ...place, fileSystem: "nfs4" }),
      new ArchiveError.Occupied({ ...place, detail: "why" }),
      new ArchiveError.Moved({ ...place, file: "books.db-wal" }),
      new ArchiveError.Changed(place),
      new ArchiveError.ReadOnly(place),
      new ArchiveError.DiskFull(place),
      new ArchiveError.Foreign({ ...place, detail: "why" }),
      new ArchiveError.Newer({ ...place, found: 9, known: 3 }),
      new ArchiveError.Older({ ...place, found: 3, known: 9 }),
      new ArchiveError.Pruned({ ...place, run: "r1", prunedAt: 0 }),
      new ArchiveError.Damaged({ ...place, detail: "why" }),
      new ArchiveError.OtherMaster({ ...place, archive: "a", configured: "b" }),
      new ArchiveError.Unreachable({ ...place, detail: "why" }),
      new ArchiveError.CannotOpen({ ...place, detail: "why" }),
      new ArchiveError.TooOld({ ...place, found: "12", wanted: "14" }),
      new InvalidRange({ from: Number.NaN, to: 0, problem: "is none" }),
      new ArchiveError.Exists(place),
      new ArchiveError.Failed({ ...place, detail: "why" })
    ]
    assert.deepStrictEqual(
      ArchiveError.Reason.members.map(({ fields }) => fields._tag.schema.literal),
      archive.map(({ _tag }) => _tag)
    )
    for (const reason of archive) {
      const words = section(`\`${reason._tag}\``)
      const [, quoted = ""] = /^ +Says `([^`]+)`/.exec(words) ?? []
      assert.notStrictEqual(quoted, "", reason._tag)
      for (const part of quoted.split("…")) assert.include(reason.message, part.trim(), reason._tag)
      const { exitCode } = Failure.fromArchive(new ArchiveError.ArchiveError({ reason }))
      assert.include(words, `xit code ${exitCode}`, reason._tag)
    }
  })

  it("has a section for every error of a reconciliation, which says what its message says", () => {
    const errors = [
      new PolicyError.PolicyError({ issues: [{ path: "late", message: "no duration" }] }),
      new InvalidHeader.InvalidHeader({ side: "transfer", source: "ledger.csv", problem: "the header lacks at" }),
      new Unordered.Unordered({ side: "deposit", id: "d1", at: 0, watermark: 1 }),
      new Run.Ambiguous({ prefix: "r1", of: "runs", count: 2 })
    ]
    for (const { _tag, message } of errors) {
      const [, quoted = ""] = /^ +Says `([^`]+)`/.exec(section(`\`${_tag}\``)) ?? []
      assert.notStrictEqual(quoted, "", _tag)
      for (const part of quoted.split("…")) assert.include(message, part.trim(), _tag)
    }
  })

  it("says of a configuration file what the command says of it", () => {
    const sources = ["cli/src/config/ConfigFile", "cli/src/config/Search", "reconcile/src/rows/JsonSyntax"].map((
      name
    ) => readFileSync(new URL(`../../${name}.ts`, import.meta.url), "utf8")).join("\n")
    const quoted = Array.from(
      section("The configuration file is refused").matchAll(/`([^`]*)`/g),
      ([, words = ""]) => words
    ).filter((words) => words.includes(" ") && !words.startsWith("tallystick "))
    assert.isAtLeast(quoted.length, 3)
    for (const words of quoted) for (const part of words.split("…")) assert.include(sources, part.trim(), words)
  })

  it("has a section for every gap and every exit code", () => {
    const codes = Coverage.Gap.fields.code.literals
    for (const code of [0, 130, ...Object.values(Failure.exitCodes), ...codes]) {
      assert.isAbove(section(`\`${code}\``).length, 30, String(code))
    }
  })

  it("has a section for each way in which a configuration is refused", () => {
    const read = (name: string) =>
      readFileSync(new URL(`../../core/src/${name}.ts`, import.meta.url), "utf8").replaceAll("${variable}", "…")
    const sources = [
      "BrokerConfig",
      ...["Provided", "BaseUrl", "ConventionsCheck"].map((name) => `internal/settings/${name}`)
    ]
      .map(read).join("\n")
    const headings = [
      "A variable is missing",
      "A variable is not valid",
      "The base URL is refused",
      "A secret's file cannot be used",
      "The conventions are refused"
    ]
    for (const heading of headings) {
      const quoted = Array.from(section(heading).matchAll(/`([^`]*…[^`]*)`/g), ([, words = ""]) => words)
      assert.isNotEmpty(quoted, heading)
      for (const words of quoted) {
        for (const part of words.replace(/^TALLYSTICK_\w+/, "").split("…")) assert.include(sources, part.trim(), words)
      }
    }
  })
})
