/** What the paging server and those who read from it know of each other. */

/** 1,000 pages of 500 records: in each of 50 hours 20. */
export const HOURS = 50
export const PAGES_AN_HOUR = 20
export const PAGE = 500
export const HOUR = 3_600_000

/** The last page of an hour is one record shorter: pages that are all equally long would be read a second time by halves. */
export const RECORDS_AN_HOUR = PAGES_AN_HOUR * PAGE - 1

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
  Array.from({ length: HOURS * PAGES_AN_HOUR }, (_, index) => {
    const begin = from + Math.floor(index / PAGES_AN_HOUR) * HOUR
    return { startTime: begin - 1, endTime: begin + HOUR, page: index % PAGES_AN_HOUR + 1 }
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
