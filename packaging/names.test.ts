/** The public names. A name that is added must be kept, and a name that is removed breaks somebody's program. */
import { assert, describe, expect, inject, it } from "vitest"
import * as Names from "./support/Names.ts"
import { libraries } from "./support/Packed.ts"
import * as Subpaths from "./support/Subpaths.ts"

const names = Names.of(inject("packed").consumer)

describe.each(libraries)("@tallystick/%s", (library) => {
  it("has the public names of names/*.txt; `pnpm test:packages names -u` takes new ones over", async () => {
    await expect(`${names[library]}\n`).toMatchFileSnapshot(`names/${library}.txt`)
  })

  it("has its modules, but for renderers, in the barrel", () => {
    const barrel = names[library].split("\n").flatMap((line) => /^\. (\w+): module$/.exec(line)?.[1] ?? [])
    assert.deepStrictEqual(
      barrel,
      Subpaths.of(library).map((path) => path.slice(1)).filter((path) => !path.includes("/"))
    )
  })

  it("knows what kind each name is of", () => {
    assert.notMatch(names[library], /: unknown$/m)
  })
})
