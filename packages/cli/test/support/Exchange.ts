/** An exchange that the command reads over a real socket: a world with its address, its key and its accounts. */
import * as Effect from "effect/Effect"
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Exchange from "../../../archive/test/kill/Exchange.ts"
import * as World from "../../../archive/test/kill/World.ts"
import { temporaryFolder } from "../../../archive/test/support/databases.ts"

export const make = Effect.fnUntraced(function*(world: World.World) {
  const baseUrl = yield* Exchange.serve(world.handle)
  const accounts = join(yield* temporaryFolder, "accounts.json")
  writeFileSync(accounts, JSON.stringify({ list: World.ACCOUNTS, complete: true }))
  return {
    /** The file of the accounts. */
    accounts,
    env: {
      TALLYSTICK_BASE_URL: baseUrl,
      TALLYSTICK_API_KEY: World.API_KEY,
      TALLYSTICK_SECRET_KEY: World.SECRET,
      TALLYSTICK_RATE: "100000",
      TALLYSTICK_CONVENTIONS: JSON.stringify(World.changes)
    }
  }
})
