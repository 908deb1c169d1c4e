/** Describes the requests and answers of the service's operations as they stand on the wire. */
import * as SubAccount from "@tallystick/core/SubAccount"
import * as SubAccountDeposit from "@tallystick/core/SubAccountDeposit"
import * as UniversalTransfer from "@tallystick/core/UniversalTransfer"
import { memoize } from "effect/Function"
import * as Schema from "effect/Schema"
import * as Struct from "effect/Struct"
import type * as Codes from "./Codes.ts"

const say = (description: string) => <S extends Schema.Top>(schema: S) => schema.annotateKey({ description })

export const Deposit = SubAccountDeposit.SubAccountDeposit.mapFields(Struct.evolve({
  amount: say("Decimal text, exact."),
  coin: say("The asset."),
  network: say("The chain."),
  status: say("An open set of codes; 5 is credited, 1 to 4, 6, 9 and 12 are on their way, 7, 8, 10 and 11 failed."),
  address: say("Where it arrived; may carry the memo as a suffix."),
  txId: say("The transaction; may carry an output index."),
  unlockConfirm: say("Confirmations that unlock it."),
  confirmTimes: say("Confirmations so far."),
  insertTime: say("When the service first saw it, Unix ms; not when it was credited."),
  memo: say("The memo or tag; empty where there is none.")
})).annotate({
  identifier: "SubAccountDeposit",
  description: "A deposit that reached a sub-account, whose name it does not tell."
})

export const Transfer = UniversalTransfer.UniversalTransfer.mapFields(Struct.evolve({
  tranId: say("The transfer's id."),
  fromAccount: say("The account that was left."),
  toAccount: say("The account that was reached."),
  clientTranId: say("The caller's own id; empty where there was none."),
  asset: say("The asset."),
  amount: say("Decimal text, exact."),
  status: say("`SUCCESS`, `FAILED` or `WAIT`; others may come."),
  timestamp: say("When it was made, Unix ms.")
})).annotate({
  identifier: "UniversalTransfer",
  description: "A transfer between the master account and a sub-account."
})

export const SubAccounts = Schema.Struct({
  code: Schema.Literal(0),
  message: Schema.String,
  data: Schema.Array(
    SubAccount.SubAccount.mapFields(Struct.evolve({
      subAccount: say("Its name, by which transfers name it."),
      note: say("Empty where there is none.")
    })).annotate({ identifier: "SubAccount", description: "A sub-account of the broker." })
  )
}).annotate({ identifier: "SubAccounts", description: "A page of the list of sub-accounts." })

export const ListedKey = Schema.Struct({
  note: Schema.String,
  apiKey: Schema.NonEmptyString,
  permissions: Schema.String.annotateKey({ description: "Names with commas between." }),
  ip: Schema.String.annotateKey({ description: "Linked addresses with commas between; empty where there are none." }),
  creatTime: Schema.Int.annotateKey({ description: "When it was made, Unix ms; spelled so." })
}).annotate({ identifier: "ListedApiKey", description: "A key of a sub-account, without its secret." })

export const Key = Schema.Struct({
  subAccount: Schema.String,
  note: Schema.String,
  apiKey: Schema.NonEmptyString,
  secretKey: Schema.NonEmptyString.annotateKey({ description: "Shown this once." }),
  permissions: Schema.String.annotateKey({ description: "Names with commas between." }),
  ip: Schema.optionalKey(Schema.String).annotateKey({ description: "Linked addresses with commas between." }),
  createTime: Schema.Int.annotateKey({ description: "Unix ms." })
}).annotate({ identifier: "SubAccountApiKey", description: "A key that was made." })

export const KeyRequest = Schema.Struct({
  subAccount: Schema.String.annotateKey({ description: "The name of the sub-account." }),
  permissions: Schema.String.annotateKey({ description: "Names of permissions, with commas between." }),
  note: Schema.String.annotateKey({ description: "Whatever the key is remembered by." }),
  ip: Schema.optionalKey(Schema.String).annotateKey({ description: "At most 20 addresses, with commas between." })
}).annotate({ identifier: "SubAccountApiKeyRequest" })

export const ServerTime = Schema.Struct({
  serverTime: Schema.Int.annotateKey({ description: "Unix ms, by the service's clock." })
}).annotate({ identifier: "ServerTime", description: "The service's time." })

/** Operations share a refusal, and so they share its schema: a document names it once. */
export const refusal = memoize(({ codes, name, status }: Codes.Refusal) =>
  Schema.Struct({ code: Schema.Literals(Object.keys(codes).map(Number)), msg: Schema.String }).annotate({
    identifier: name,
    description: Object.entries(codes).map(([code, meaning]) => `\`${code}\` ${meaning}`).join("; "),
    httpApiStatus: status
  })
)

const digits = Schema.String.check(Schema.isPattern(/^\d{1,15}$/u))

const number = (description: string) => Schema.optionalKey(digits).annotateKey({ description })

/** The parameters of every signed request. */
export const signature = {
  recvWindow: number(
    "How old the request may be when the service sees it, ms: 1 to 60000, 5000 unless given. The exchange's interface description has it on deposits only."
  ),
  timestamp: digits.annotateKey({ description: "Unix ms, by the service's clock." }),
  signature: Schema.String.check(Schema.isPattern(/^[0-9a-f]{64}$/u)).annotateKey({
    description:
      "Lower-case hex of HMAC-SHA256 with the secret, over everything in front of `&signature=` as it stands in the URL. It is the " +
      "last parameter."
  })
}

export const interval = {
  startTime: number("From this time on, Unix ms."),
  endTime: number("Up to this time, Unix ms.")
}

export const paging = (most: string) => ({
  page: number("From 1 on; 1 unless given."),
  limit: number(`Records of a page: ${most}.`)
})

const word = Schema.String.check(Schema.isPattern(/^[A-Za-z_]{1,64}$/u))
const account = Schema.String.check(Schema.isMinLength(1), Schema.isMaxLength(256))

export const ofTransfers = {
  fromAccountType: word.annotateKey({ description: "`SPOT` or `FUTURES`, which may be written `FUTURE`." }),
  toAccountType: word.annotateKey({ description: "`SPOT` or `FUTURES`, which may be written `FUTURE`." }),
  fromAccount: Schema.optionalKey(account).annotateKey({ description: "Without it, the master account." }),
  toAccount: Schema.optionalKey(account).annotateKey({ description: "Without it, the master account." }),
  clientTranId: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^[A-Za-z0-9]{32}$/u))).annotateKey({
    description: "Only the transfer that carries it."
  })
}

export const ofSubAccounts = {
  subAccount: Schema.optionalKey(account).annotateKey({ description: "Only this one." })
}

export const ofApiKeys = {
  subAccount: Schema.String.annotateKey({ description: "The sub-account whose keys they are." })
}

export const ofDeposits = {
  coin: Schema.optionalKey(Schema.String.check(Schema.isPattern(/^\S{1,64}$/u))).annotateKey({
    description: "Only this asset."
  }),
  status: number("Only this status.")
}
