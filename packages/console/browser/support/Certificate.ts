/** A certificate that signs itself, made anew for each proxy: a browser takes it only where it is told to take any. */
import { generateKeyPairSync, sign } from "node:crypto"

/** A value of DER: its tag, its length, and what is in it. */
const der = (tag: number, ...parts: ReadonlyArray<Buffer>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const told = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...told]), content])
}

const sequence = (...parts: ReadonlyArray<Buffer>): Buffer => der(0x30, ...parts)
const text = (tag: number, value: string): Buffer => der(tag, Buffer.from(value))
const oid = (...bytes: ReadonlyArray<number>): Buffer => der(0x06, Buffer.from(bytes))

const ECDSA_WITH_SHA256 = sequence(oid(0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02))
const COMMON_NAME = oid(0x55, 0x04, 0x03)

const pem = (kind: string, content: Buffer): string =>
  `-----BEGIN ${kind}-----\n${content.toString("base64").replaceAll(/.{64}/g, "$&\n")}\n-----END ${kind}-----\n`

/** Makes a certificate for a name, and its key. */
export const make = (name: string): { readonly cert: string; readonly key: string } => {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" })
  const named = sequence(der(0x31, sequence(COMMON_NAME, text(0x0c, name))))
  const serial = der(0x02, Buffer.from([1]))
  const validity = sequence(text(0x17, "200101000000Z"), text(0x17, "491231235959Z"))
  const told = sequence(
    serial,
    ECDSA_WITH_SHA256,
    named,
    validity,
    named,
    publicKey.export({ type: "spki", format: "der" })
  )
  const signature = der(0x03, Buffer.concat([Buffer.from([0]), sign("sha256", told, privateKey)]))
  return {
    cert: pem("CERTIFICATE", sequence(told, ECDSA_WITH_SHA256, signature)),
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString()
  }
}
