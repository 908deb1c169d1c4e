/** A page of 500 deposits from text to records, two hundred times. */
import * as Page from "@tallystick/core/Page"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as Option from "effect/Option"
import { z } from "zod"
import type { Contender } from "../Contender.ts"
import * as Deposits from "../Deposits.ts"
import * as Random from "../Random.ts"

const pages = 200

const pageText = (): string => {
  const random = Random.make(1)
  return JSON.stringify(
    Array.from({ length: 500 }, () => Deposits.deposit(random, 1_767_225_600_000 + Math.floor(random() * 86_400_000)))
  )
}

type Decode = (text: string) => unknown

const contender = (prepare: () => Decode | Promise<Decode>): Contender => ({
  prepare: async () => {
    const text = pageText()
    const decode = await prepare()
    return {
      run: () => {
        for (let page = 0; page < pages; page++) {
          if (decode(text) === undefined) throw new Error("the page was not read")
        }
      }
    }
  }
})

export const jsonParse: Contender = contender(() => (text) => JSON.parse(text))

const read = (text: string): Page.Page<SubAccountDeposit.SubAccountDeposit> | undefined => {
  const page = Option.getOrUndefined(Page.readDeposits(JSON.parse(text), text, 1))
  return page?.records.length === 500 ? page : undefined
}

const withCompiler = <A>(value: A): Promise<A> => import("effect/schema/SchemaJITCompiler/enable").then(() => value)

export const ours: Contender = contender(() => withCompiler(read))

export const oursExact: Contender = contender(() =>
  withCompiler((text: string) => read(text)?.records.map(SubAccountDeposit.amount))
)

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

export const zod: Contender = contender(() => (text) => zodPage.parse(JSON.parse(text)))
