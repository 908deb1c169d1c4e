import { assert, describe, it } from "@effect/vitest"
import * as DepositAddress from "@tallystick/core/DepositAddress"

const split = (address: string, memo?: string) => {
  const made = DepositAddress.make(address, memo)
  return [made.address, made.memo]
}

describe("DepositAddress", () => {
  it("takes off a suffix that equals the memo field", () => {
    assert.deepStrictEqual(split("rXRP:12345", "12345"), ["rXRP", "12345"])
  })

  it("takes the suffix as the memo when the field is empty or absent", () => {
    assert.deepStrictEqual(split("rXRP:12345", ""), ["rXRP", "12345"])
    assert.deepStrictEqual(split("rXRP:12345"), ["rXRP", "12345"])
  })

  it("leaves an address alone whose suffix is not the memo", () => {
    assert.deepStrictEqual(split("rXRP:12345", "999"), ["rXRP:12345", "999"])
    assert.deepStrictEqual(split("rXRP", "999"), ["rXRP", "999"])
  })

  it("keeps the URI schemes of address formats, in any case", () => {
    for (const address of ["bitcoincash:qpm2q", "BITCOINCASH:QPM2Q", "kaspa:qr0", "ecash:qq"]) {
      assert.deepStrictEqual(split(address), [address, ""])
    }
  })

  it("takes a memo off behind a scheme", () => {
    assert.deepStrictEqual(split("bitcoincash:qpm2q:77"), ["bitcoincash:qpm2q", "77"])
  })

  it("takes off a memo that itself contains a colon", () => {
    assert.deepStrictEqual(split("r:a:b", "a:b"), ["r", "a:b"])
    assert.deepStrictEqual(split("r:a:b", "b"), ["r:a", "b"])
    assert.deepStrictEqual(split("r:a:b", "x"), ["r:a:b", "x"])
  })

  it("survives empty parts", () => {
    assert.deepStrictEqual(split(""), ["", ""])
    assert.deepStrictEqual(split(":5"), [":5", ""])
    assert.deepStrictEqual(split("addr:"), ["addr:", ""])
  })
})
