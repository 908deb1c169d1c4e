/**
 * A person's token is 256 random bits, and the file of users keeps only its hash. The hash is scrypt's, although nobody guesses 256
 * bits: a token that somebody chose, against the advice, is then hard to guess too.
 */
import * as Effect from "effect/Effect"
import * as Redacted from "effect/Redacted"
import * as Schema from "effect/Schema"
import { randomBytes, scrypt, timingSafeEqual } from "node:crypto"

/** Costs of one hash: 16 MiB of memory and some 40 ms of a thread beside the main one. */
const COST = { ln: 14, r: 8, p: 1 }

const BYTES = 32

/** `$scrypt$ln=14,r=8,p=1$salt$hash`: the binary logarithm of N, block size, parallelism; salt and hash in Base64 (RFC 4648, 5). */
const PATTERN = /^\$scrypt\$ln=(1[0-7]),r=([1-8]),p=([1-4])\$([A-Za-z0-9_-]{22,86})\$([A-Za-z0-9_-]{43})$/

/** The hash of a token, as the file of users keeps it. Costs above `ln=17,r=8,p=4` are refused, because each login pays them. */
export const TokenHash = Schema.String.check(Schema.isPattern(PATTERN)).annotate({
  identifier: "TokenHash",
  message: "Expected the hash of a token, as tallystick console token writes it"
})

interface Cost {
  readonly ln: number
  readonly r: number
  readonly p: number
}

const derive = (token: Redacted.Redacted, salt: Buffer, { ln, p, r }: Cost): Effect.Effect<Buffer> =>
  Effect.callback((resume) => {
    const options = { N: 2 ** ln, r, p, maxmem: 256 * 2 ** ln * r }
    scrypt(Redacted.value(token).normalize("NFC"), salt, BYTES, options, (error, key) => {
      resume(error === null ? Effect.succeed(key) : Effect.die(error))
    })
  })

/** Makes a token, and the hash of it. */
export const issue: Effect.Effect<{ readonly token: Redacted.Redacted; readonly hash: string }> = Effect.gen(
  function*() {
    const token = Redacted.make(randomBytes(BYTES).toString("base64url"), { label: "token" })
    const salt = randomBytes(BYTES)
    const key = yield* derive(token, salt, COST)
    const { ln, p, r } = COST
    return { token, hash: `$scrypt$ln=${ln},r=${r},p=${p}$${salt.toString("base64url")}$${key.toString("base64url")}` }
  }
)

/** Tells whether a hash is that of a token. It takes as long for a wrong token as for the right one. */
export const verify = Effect.fnUntraced(function*(token: Redacted.Redacted, hash: string) {
  const [, ln = "", r = "", p = "", salt = "", key = ""] = PATTERN.exec(hash) ?? []
  if (key === "") return false
  const kept = Buffer.from(key, "base64url")
  const given = yield* derive(token, Buffer.from(salt, "base64url"), { ln: Number(ln), r: Number(r), p: Number(p) })
  return timingSafeEqual(given, kept)
})
