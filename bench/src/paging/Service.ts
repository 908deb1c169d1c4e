/** Says what the paging server and its readers know of each other. */
import * as Random from "../Random.ts"

export const HOURS = 50
export const PAGE = 500
export const HOUR = 3_600_000

const random = Random.make(2)

/**
 * The number of records of each hour, 9,001 to 10,999: about 1,000 pages in all. Hours of one length, and pages that are all
 * equally long, would make a scan read everything a second time.
 */
export const recordsAnHour: ReadonlyArray<number> = Array.from(
  { length: HOURS },
  () => (18 + Math.floor(random() * 4)) * PAGE + 1 + Math.floor(random() * (PAGE - 1))
)

export const RECORDS = recordsAnHour.reduce((sum, records) => sum + records, 0)

export const API_KEY = "mx0benchmark"
export const SECRET = "benchmark-secret-0123456789abcdef"
export const RECV_WINDOW = 5000

export type Kind = "deposits" | "transfers"

/** Paths below the base URL. */
export const paths: Readonly<Record<Kind, string>> = {
  deposits: "/api/v3/broker/capital/deposit/subHisrec/getall",
  transfers: "/api/v3/broker/sub-account/universalTransfer"
}

/** Which transfers there are. */
export const accountTypes = { fromAccountType: "SPOT", toAccountType: "SPOT" } as const

/** Where the server listens, and when its first hour begins (Unix ms). */
export interface Service {
  readonly kind: Kind
  readonly baseUrl: string
  readonly from: number
}

/** What the server has seen since it was last asked. */
export interface Seen {
  readonly requests: number
  /** Of these, how many were answered with no record: the proofs of an end. */
  readonly empty: number
}

/** One page of one hour, as everybody asks for it: a millisecond wider on both sides than the hour. */
export interface PageAddress {
  readonly startTime: number
  readonly endTime: number
  readonly page: number
}

export const pages = ({ from }: Service): ReadonlyArray<PageAddress> =>
  recordsAnHour.flatMap((records, hour) => {
    const begin = from + hour * HOUR
    return Array.from(
      { length: Math.ceil(records / PAGE) },
      (_, page) => ({ startTime: begin - 1, endTime: begin + HOUR, page: page + 1 })
    )
  })

/** Runs `read` for every page in `lanes` lanes, and adds up what it returns. */
export const inLanes = async (
  addresses: ReadonlyArray<PageAddress>,
  lanes: number,
  read: (address: PageAddress) => Promise<number>
): Promise<number> => {
  const left = addresses.values()
  let records = 0
  const lane = async (): Promise<void> => {
    for (const address of left) {
      const count = await read(address)
      records += count
    }
  }
  await Promise.all(Array.from({ length: lanes }, lane))
  return records
}
