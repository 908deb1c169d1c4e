/** `--map`: files of anybody, whose columns have names of their own. */
import { assert, describe, it } from "@effect/vitest"
import * as FieldMap from "@tallystick/cli/config/FieldMap"
import * as LocalTime from "@tallystick/cli/text/LocalTime"
import * as Report from "@tallystick/reconcile/Report"
import * as DateTime from "effect/DateTime"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Result from "effect/Result"
import * as Schema from "effect/Schema"
import { TestClock } from "effect/testing"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const AT = Date.UTC(2026, 10, 19, 8, 30)

const said = (text: string) => Result.getOrElse(FieldMap.parse(text), (problem) => assert.fail(problem))
const refused = (text: string) => Result.getOrElse(Result.flip(FieldMap.parse(text)), () => assert.fail(text))

describe("what --map says", () => {
  it("names the columns of both files or of one, in quotation marks where they hold a comma", () => {
    const both = said(
      "at=Time(UTC), amount=Quantity,id=\"Tx, \"\"ID\"\"\",asset=Coin,zone=+02:00,ignore=Status,ignore=Memo"
    )
    assert.deepStrictEqual(both.deposit?.names, {
      at: "Time(UTC)",
      amount: "Quantity",
      id: "Tx, \"ID\"",
      asset: "Coin"
    })
    assert.deepStrictEqual(both.deposit, both.transfer)
    assert.deepStrictEqual(both.deposit?.ignored, ["Status", "Memo"])
    const one = said("transfers.id=TxID,transfers.at=Time,at=When")
    assert.deepStrictEqual(one.deposit?.names, { at: "When" })
    assert.deepStrictEqual(one.transfer?.names, { id: "TxID", at: "Time" })
  })

  it("says the same as JSON, as the configuration file has it", () => {
    const json = { transfers: { id: "TxID", at: "Time", zone: "Europe/Berlin", ignore: ["Status"] } }
    const { deposit, transfer } = said(JSON.stringify(json))
    assert.isUndefined(deposit)
    assert.deepStrictEqual(transfer?.names, { id: "TxID", at: "Time" })
    assert.deepStrictEqual(transfer?.ignored, ["Status"])
    assert.isDefined(transfer?.zone)
  })

  it("takes the zone of the name of a column before that of both files, and both where they are the same", () => {
    const { deposit, transfer } = said("deposits.at=Time(UTC),transfers.at=Time,zone=Europe/Berlin")
    assert.deepStrictEqual(deposit?.zone, LocalTime.zoneOf("Time(UTC)"))
    assert.deepStrictEqual(transfer?.zone, DateTime.zoneMakeNamedUnsafe("Europe/Berlin"))
    for (const text of ["deposits.at=Time(UTC),deposits.zone=UTC", "at=Time(UTC+2),deposits.zone=+02:00"]) {
      assert.isDefined(said(text).deposit?.zone)
    }
  })

  it("is refused with its reason where it makes no sense", () => {
    for (
      const [text, reason] of [
        ["", "wanted: at="],
        ["amount", "wanted: at="],
        ["amuont=Quantity", "\"amuont\" is no field; did you mean amount? Fields: id, asset, amount, at"],
        ["past=History", "\"past\" is no field"],
        ["amount=,id=x", "amount has no column"],
        ["amount=a,amount=b", "amount is said twice"],
        ["amount=a,id=a", "the column a cannot be two fields"],
        ["at=Time,zone=Berlin", "\"Berlin\" is no time zone"],
        ["deposits.status=State,deposits.ignore=State", "State cannot be status and ignored"],
        ["id=a,ignore=a", "a cannot be id and ignored"],
        [
          "deposits.at=Time(UTC),deposits.zone=Europe/Berlin",
          "deposits.zone is Europe/Berlin, but the name of the column Time(UTC) tells the zone of its times"
        ],
        ["{\"transfers\":{\"at\":\"Time (UTC+8)\",\"zone\":\"UTC\"}}", "leave transfers.zone out"],
        ["{\"ledger\":{}}", "wanted: a JSON object with deposits, transfers or both"]
      ] as const
    ) assert.include(refused(text), reason, text)
  })
})

describe("a time without a zone", () => {
  const berlin = DateTime.zoneMakeNamedUnsafe("Europe/Berlin")

  it("is of the zone that the name of its column tells", () => {
    for (
      const [column, hours] of [
        ["Time(UTC)", 0],
        ["Date (UTC+8)", 8],
        ["created_at (GMT-03:30)", -3.5],
        ["time(utc+0800)", 8]
      ] as const
    ) {
      const zone = LocalTime.zoneOf(column)
      assert.isDefined(zone, column)
      assert.strictEqual(LocalTime.millis("2026-11-19 08:30:00", zone), AT - hours * 3_600_000, column)
    }
    for (const column of ["Time", "UTC", "Time(UTC) of arrival", "Time (CET)"]) {
      assert.isUndefined(LocalTime.zoneOf(column))
    }
  })

  it("is read in the usual forms, and in no other", () => {
    const utc = DateTime.zoneMakeOffset(0)
    for (const text of ["2026-11-19 08:30", "2026-11-19T08:30:00.000", "2026/11/19 8:30:00", "2026-11-19 08:30:00,0"]) {
      assert.strictEqual(LocalTime.millis(text, utc), AT, text)
    }
    for (
      const text of [
        "19.11.2026 08:30",
        "11/19/2026 08:30",
        "2026-11/19 08:30",
        "2026-02-30 08:30",
        "2026-11-19 24:30",
        "08:30",
        "2026-11-19",
        "2026/11/19"
      ]
    ) {
      assert.isUndefined(LocalTime.millis(text, utc), text)
    }
  })

  it("is none where the clocks showed it twice or never", () => {
    assert.strictEqual(LocalTime.millis("2026-10-25 01:30", berlin), Date.UTC(2026, 9, 24, 23, 30))
    assert.isUndefined(LocalTime.millis("2026-10-25 02:30", berlin))
    assert.isUndefined(LocalTime.millis("2026-03-29 02:30", berlin))
  })

  it.prop(
    "is the moment of which the same zone writes it so, at any time of any zone",
    [
      Schema.Int.check(Schema.isBetween({ minimum: Date.UTC(2015, 0), maximum: Date.UTC(2035, 0) })),
      Schema.Literals(["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "UTC"])
    ],
    ([at, name]) => {
      const zone = DateTime.zoneMakeNamedUnsafe(name)
      const written = DateTime.formatIsoOffset(DateTime.makeZonedUnsafe(at, { timeZone: zone })).replace(
        /[+-]\d\d:\d\d$/,
        ""
      )
      const read = LocalTime.millis(written, zone)
      if (read !== undefined) assert.strictEqual(read, at)
    }
  )
})

const header = "No.,\"Time(UTC)\",Coin,Quantity,TxID,Owner,Status"
const row = (id: number, more = "ok") => `${id},2026-11-19 08:3${id}:00,BTC,1.${id},tx${id},sub0000${id},${more}`

const MAP = "at=Time(UTC),amount=Quantity,id=TxID,asset=Coin,account=Owner"

const decode = Schema.decodeEffect(Schema.fromJsonString(Report.Report))

/** A folder, some hours after everything in it happened. */
const yesterdays = Effect.andThen(TestClock.setTime(AT + 86_400_000), directory)

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("files of anybody", (it) => {
  const entries = (ids: ReadonlyArray<number>) =>
    ids.map((id) =>
      `${
        JSON.stringify({
          id: `d${id}`,
          asset: "BTC",
          amount: `1.${id}`,
          at: AT + id * 60_000 - 1000,
          account: `sub0000${id}`
        })
      }\n`
    ).join("")

  it.effect("are matched by what the map says, as a table, as lines and as an array", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const deposits = yield* put("deposits.ndjson", entries([1, 2]))
      const csv = [header, row(1), row(2)].join("\n")
      const columns = ["No.", "Time(UTC)", "Coin", "Quantity", "TxID", "Owner", "Status"]
      const objects = [row(1), row(2)].map((line) =>
        JSON.stringify(Object.fromEntries(line.split(",").map((cell, index) => [columns[index], cell])))
      )
      for (
        const [name, text] of [
          ["ledger.csv", csv],
          ["ledger.ndjson", objects.join("\n")],
          ["ledger.json", `[${objects.join(",")}]`]
        ] as const
      ) {
        const transfers = yield* put(name, text)
        const files = ["--deposits", deposits, "--transfers", transfers, "--complete"]
        for (const format of ["json", "ndjson"]) {
          const told = yield* tallystick([
            "reconcile",
            ...files,
            "--map",
            MAP.replaceAll(/(\w+)=/g, "transfers.$1=") + ",transfers.ignore=Status",
            "--format",
            format
          ])
          assert.strictEqual(told.exitCode, 0, told.stderr)
          assert.match(told.stderr, / matched=2 of_other_days=none deposits=2\/2 transfers=2\/2 /)
          assert.match(told.stdout, /"id": ?"tx1"/)
        }
      }
    }))

  it.effect("are read so by the doctor and by the configuration file too, and leave the exchange's own records alone", () =>
    Effect.gen(function*() {
      const { at, put } = yield* yesterdays
      const transfers = yield* put("ledger.csv", [header, row(1), row(2)].join("\n"))
      const own = {
        amount: "1.1",
        coin: "BTC",
        network: "BTC",
        status: 5,
        address: "a",
        txId: "h:0",
        unlockConfirm: "1",
        confirmTimes: "1",
        insertTime: AT,
        memo: ""
      }
      const deposits = yield* put("deposits.ndjson", `${JSON.stringify(own)}\n`)
      const files = ["--deposits", deposits, "--transfers", transfers]
      const map = `${MAP},ignore=Status`
      const looked = yield* tallystick(["doctor", ...files, "--map", map])
      assert.match(
        looked.stdout.replaceAll(/\s+/g, " "),
        /ok transfers .*ledger\.csv: 2 records, from 2026-11-19 08:31:00 to /
      )
      assert.match(looked.stdout.replaceAll(/\s+/g, " "), /ok deposits .*deposits\.ndjson: 1 record, /)
      const names = Object.fromEntries(MAP.split(",").map((pair) => pair.split("=")))
      yield* put("tallystick.json", JSON.stringify({ map: { transfers: { ...names, ignore: ["Status"] } } }))
      const report = yield* tallystick(["reconcile", ...files, "--complete"], { folder: at("") })
      assert.match(report.stderr, / transfers=\d\/2 /, report.stderr)
      const shown = yield* tallystick(["config", "show"], { folder: at("") })
      assert.match(shown.stdout, /^map .*tallystick\.json .*"TxID"/m)
    }))

  it.effect("are refused as a whole where a column is not there, or one looks like a field that nobody named", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const deposits = yield* put("deposits.ndjson", entries([1]))
      const csv = yield* put("ledger.csv", [header, row(1)].join("\n"))
      const ndjson = yield* put(
        "ledger.ndjson",
        "{\"T\":\"2026-11-19 08:31:00\",\"Q\":\"1.1\",\"X\":\"a\",\"C\":\"BTC\"}\n"
      )
      const only = (map: string) => map.replaceAll(/(\w+)=/g, "transfers.$1=")
      for (
        const [file, map, told] of [
          [csv, MAP, "line 1: the column \"Status\" would not be read; add status=\"Status\" to --map"],
          [
            csv,
            "at=Time (UTC),amount=Quantity,id=TxID,asset=Coin",
            "the header lacks \"Time (UTC)\", which --map names as at; did you mean \"Time(UTC)\"?"
          ],
          [
            csv,
            "at=Time(UTC),amount=Quantity,id=TxID,ignore=Status",
            "nothing says which column holds asset: add it to --map"
          ],
          [
            ndjson,
            "at=T,amount=Q,id=X,asset=C,account=Owner,zone=UTC",
            "no record has \"Owner\", which --map names as account"
          ],
          [
            csv,
            `${MAP},ignore=status`,
            "line 1: the header lacks \"status\", which --map ignores; did you mean \"Status\"?"
          ],
          [ndjson, "at=T,amount=Q,id=X,asset=C,ignore=Note,zone=UTC", "no record has \"Note\", which --map ignores"]
        ] as const
      ) {
        for (const format of ["json", "ndjson"]) {
          const args = ["--deposits", deposits, "--transfers", file, "--complete", "--format", format]
          const { exitCode, stderr } = yield* tallystick(["reconcile", ...args, "--map", only(map)])
          assert.strictEqual(exitCode, 2, stderr)
          assert.include(stderr, told)
        }
      }
      const alone = yield* tallystick(["reconcile", "--archive", "--map", MAP])
      assert.strictEqual(alone.exitCode, 2)
      assert.include(alone.stderr, "give --deposits and --transfers with it")
    }))

  it.effect("say by a date alone no time, in whatever zone, and by their own side which side they are of", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const deposits = yield* put("deposits.ndjson", entries([1]))
      const table = [
        "Day,Coin,Quantity,TxID,side",
        "2026-11-19 08:31:00,BTC,1.1,tx1,transfer",
        "2026-11-19,BTC,1.2,tx2,",
        "2026/11/19,BTC,1.3,tx3,transfer",
        "2026-11-19 08:34:00,BTC,1.4,tx4,deposit"
      ]
      const transfers = yield* put("ledger.csv", table.join("\n"))
      const args = ["--deposits", deposits, "--transfers", transfers, "--complete", "--format", "json"]
      const map = "at=Day,amount=Quantity,id=TxID,asset=Coin,zone=Europe/Berlin".replaceAll(/(\w+)=/g, "transfers.$1=")
      const { stdout } = yield* tallystick(["reconcile", ...args, "--map", map])
      const { outcomes } = yield* decode(stdout)
      const bad = outcomes.flatMap(({ bad }) => bad === undefined ? [] : [`${bad.path}: ${bad.reason}`]).toSorted()
      assert.strictEqual(bad.length, 3)
      assert.match(bad[0] ?? "", /^Day: a date alone is no time/)
      assert.match(bad[1] ?? "", /^Day: a date alone is no time/)
      assert.strictEqual(bad[2], `side: "transfer" was wanted, "deposit" came`)
    }))

  it.effect("are matched at their own times where one names its zone and the other is of the zone that was said", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const deposits = yield* put("d.csv", "TxID,Coin,Quantity,Time(UTC)\nd1,BTC,1,2026-11-19 08:30:00")
      const transfers = yield* put("t.csv", "id,asset,amount,Time\nt1,BTC,1,2026-11-19 09:40:00")
      const map =
        "deposits.at=\"Time(UTC)\",deposits.id=TxID,deposits.asset=Coin,deposits.amount=Quantity,transfers.at=Time"
      const args = ["reconcile", "--deposits", deposits, "--transfers", transfers, "--complete", "--format", "json"]
      const { stdout } = yield* tallystick([...args, "--map", `${map},zone=Europe/Berlin`])
      const [outcome] = (yield* decode(stdout)).outcomes
      assert.deepStrictEqual(outcome?.deposits.map(({ at }) => at), [AT])
      assert.strictEqual(outcome?.lagMs, 600_000)
      const both = yield* tallystick([
        ...args,
        "--map",
        `${map},deposits.zone=Europe/Berlin,transfers.zone=Europe/Berlin`
      ])
      assert.strictEqual(both.exitCode, 2)
      assert.include(both.stderr, "leave deposits.zone out")
    }))

  it.effect("leave the exchange's own records as they are, also where what was said of both files names one of their columns", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const own = { amount: "1", coin: "BTC", network: "BTC", status: 5, address: "a", txId: "h:0", insertTime: AT }
      const csv = [Object.keys(own), Object.values(own)].map((cells) => cells.join(",")).join("\n")
      const transfers = yield* put("t.csv", "id,coin,amount,at\nt1,BTC,1,2026-11-19T08:35:00Z")
      for (const [name, text] of [["d.csv", csv], ["d.ndjson", JSON.stringify(own)]] as const) {
        const deposits = yield* put(name, text)
        const args = ["reconcile", "--deposits", deposits, "--transfers", transfers, "--complete", "--format", "json"]
        const told = yield* tallystick([...args, "--map", "asset=coin"])
        assert.strictEqual(told.exitCode, 0, told.stderr)
        assert.match(told.stderr, / matched=1 of_other_days=none deposits=1\/1 transfers=1\/1 /)
        // What is said of this file alone goes before its marks.
        const map =
          "transfers.asset=coin,deposits.id=address,deposits.asset=coin,deposits.at=insertTime,deposits.ignore=status"
        const special = yield* tallystick([...args, "--map", map])
        assert.match(special.stdout, /"id": ?"a"/, special.stderr)
      }
      const ledger = yield* put("l.csv", "coin,insertTime,amount,hash\nBTC,2026-11-19T08:35:00Z,1,h")
      const args = ["reconcile", "--deposits", ledger, "--transfers", transfers, "--complete"]
      const refused = yield* tallystick([...args, "--map", "asset=coin"])
      assert.strictEqual(refused.exitCode, 2)
      assert.include(refused.stderr, "say deposits.id=… and so on in --map")
    }))

  it.effect("tell a row that cannot be read by the name of its own column, and lose none", () =>
    Effect.gen(function*() {
      const { put } = yield* yesterdays
      const deposits = yield* put("deposits.ndjson", entries([1]))
      const rows = [
        row(1),
        row(2).replace("1.2", "1e3"),
        row(3).replace("2026-11-19 08:33:00", "19.11.2026"),
        row(4).replace("1.4", "")
      ]
      const transfers = yield* put("ledger.csv", [header, ...rows].join("\n"))
      const args = ["--deposits", deposits, "--transfers", transfers, "--complete", "--format", "json"]
      const map = `${MAP},ignore=Status`.replaceAll(/(\w+)=/g, "transfers.$1=")
      const { stderr, stdout } = yield* tallystick(["reconcile", ...args, "--map", map])
      assert.match(stderr, / bad_records=3 /)
      const { outcomes } = yield* decode(stdout)
      const bad = outcomes.flatMap(({ bad }) =>
        bad === undefined ? [] : [`${bad.source.replace(/.*, /, "")}: ${bad.path}`]
      )
      assert.deepStrictEqual(bad.toSorted(), ["line 3: Quantity", "line 4: Time(UTC)", "line 5: Quantity"])
    }))
})
