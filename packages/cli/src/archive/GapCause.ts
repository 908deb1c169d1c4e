/**
 * The cause in the detail of a gap, without what differs from list to list: how often the client tried, whether the list was asked at
 * all, whether its time had been read before, and what a page begins with. Gaps of one cause are one fault.
 */

const OUTER = [
  "it is complete as it was read before, but reading it again proved nothing: ",
  "[a-zA-Z]+: (?=no usable answer|the service was not asked|HTTP )",
  "no usable answer after [\\d,]+ attempts?: ",
  "the service was not asked, because the requests before failed: "
]

const AROUND = new RegExp(`^(?:${OUTER.join("|")})+|; the answer begins: .*$`, "gs")

export const of = (detail: string): string => detail.replaceAll(AROUND, "")
