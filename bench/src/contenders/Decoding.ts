/** Decodes a page of 500 deposits from text to records, two hundred times a run. The contender is the argument; prints ms of each run. */
import * as Amount from "@tallystick/core/Amount"
import * as Page from "@tallystick/core/Page"
import type * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Option from "effect/Option"
import { z } from "zod"
import * as Deposits from "../Deposits.ts"
import * as Random from "../Random.ts"

const pages = 200

const pageText = (): string => {
  const random = Random.make(1)
  return JSON.stringify(
    Array.from({ length: 500 }, () => Deposits.deposit(random, 1_767_225_600_000 + Math.floor(random() * 86_400_000)))
  )
}

export interface Took {
  readonly times: ReadonlyArray<number>
  /** MB. */
  readonly peak: number
}

type Decode = (text: string) => unknown

const read = (text: string): Page.Page<SubAccountDeposit.SubAccountDeposit> | undefined => {
  const page = Option.getOrUndefined(Page.readDeposits(JSON.parse(text), text, 1))
  return page?.records.length === 500 ? page : undefined
}

const withCompiler = <A>(value: A): Promise<A> => import("effect/schema/SchemaJITCompiler/enable").then(() => value)

const decimal = /^\d{1,64}(?:\.\d{1,64})?$/

/** The same checks, in zod's words. */
const zodPage = z.array(z.object({
  amount: z.string().regex(decimal),
  coin: z.string().min(1),
  network: z.string(),
  status: z.int(),
  address: z.string(),
  txId: z.string(),
  unlockConfirm: z.string(),
  confirmTimes: z.string(),
  insertTime: z.int().min(0).max(8.64e15),
  memo: z.string()
}))

const contenders = {
  "JSON.parse": () => (text: string) => JSON.parse(text),
  "tallystick, JIT on": () => withCompiler(read),
  "tallystick, JIT on, exact amounts": () =>
    withCompiler((text: string) => read(text)?.records.map(({ amount }) => Amount.toBigDecimal(amount))),
  "zod 4": () => (text: string) => zodPage.parse(JSON.parse(text))
} satisfies Readonly<Record<string, () => Decode | Promise<Decode>>>

export type Name = keyof typeof contenders

const isName = (name: string): name is Name => Object.hasOwn(contenders, name)

const name = process.argv[2] ?? ""
if (!isName(name)) throw new Error(`no contender ${name}`)
const text = pageText()
const decode: Decode = await contenders[name]()
const times: Array<number> = []
for (let round = -3; round < 15; round++) {
  const start = performance.now()
  for (let page = 0; page < pages; page++) if (decode(text) === undefined) throw new Error("the page was not read")
  if (round >= 0) times.push(performance.now() - start)
}
console.log(JSON.stringify({ times, peak: process.resourceUsage().maxRSS / 1024 } satisfies Took))
