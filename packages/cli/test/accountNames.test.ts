/** Names of accounts in files: a blank or a comment is refused with its place, because it would be asked for as an account. */
import { assert, it } from "@effect/vitest"
import * as Report from "@tallystick/reconcile/Report"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import * as Schema from "effect/Schema"
import { directory, layerFiles, layerNoNetwork, tallystick } from "./support/Run.ts"

const read = Schema.decodeSync(Schema.fromJsonString(Report.Report))

it.layer(Layer.mergeAll(layerFiles, layerNoNetwork))("a file of accounts", (it) => {
  it.effect("refuses blanks around the name of an account, and comments, with their line", () =>
    Effect.gen(function*() {
      const { put } = yield* directory
      const one = yield* put("d.ndjson", "")
      const reconcile = (args: ReadonlyArray<string>) =>
        tallystick(["reconcile", "--deposits", one, "--transfers", one, "--format", "json", ...args])
      const wrong: ReadonlyArray<readonly [name: string, text: string, told: string]> = [
        [
          "a.txt",
          "sub00001\nsub00003 \n",
          "a.txt, line 2: the name of an account begins or ends with a blank: \"sub00003 \""
        ],
        [
          "b.txt",
          "\n\n sub00003\n",
          "b.txt, line 3: the name of an account begins or ends with a blank: \" sub00003\""
        ],
        ["c.txt", "# comment\nsub00003\n", "c.txt, line 1: the name of an account begins with #: \"# comment\""],
        [
          "d.csv",
          "account\nsub00001\n\tsub00003\n",
          "d.csv, line 3: the name of an account begins or ends with a blank"
        ],
        [
          "e.json",
          "[\"sub00001\",\n\"sub00003 \"]",
          "e.json, line 2, record 2: the name of an account begins or ends"
        ],
        ["f.json", "{\"list\":[\"sub00001\",\" \"]}", "f.json: list.1: the name of an account is blank"],
        [
          "g.json",
          "{\"list\":[\"sub00001\"],\"master\":\"main \"}",
          "g.json: master: the name of an account begins or ends"
        ]
      ]
      for (const [name, text, told] of wrong) {
        const result = yield* reconcile(["--accounts", yield* put(name, text)])
        assert.strictEqual(result.exitCode, 2, name)
        assert.include(result.stderr, told)
      }
      const book = yield* put("book.csv", "address,account\nT1,sub00001\nT2,sub00003 \n")
      const refused = yield* reconcile(["--addresses", book])
      assert.include(refused.stderr, "book.csv, line 3: account: the name of an account begins or ends with a blank")
      const windows = yield* put("h.txt", "\uFEFFsub00001\r\nsub00002\r\n")
      assert.strictEqual(read((yield* reconcile(["--accounts", windows])).stdout).accounts.count, 2)
    }))
})
