import { assert, it } from "@effect/vitest"
import * as AccountType from "@tallystick/core/AccountType"
import * as Conventions from "@tallystick/core/Conventions"

it("FUTURE and FUTURES are one account type everywhere, which no setting promises to change", () => {
  assert.deepStrictEqual(["FUTURE", "FUTURES", "SPOT", "future", ""].map(AccountType.canonical), [
    "FUTURES",
    "FUTURES",
    "SPOT",
    "future",
    ""
  ])
  assert.notProperty(Conventions.mexc, "accountTypeAliases")
})
