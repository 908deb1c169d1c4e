/** What one writes by hand: undici's `request`, an HMAC, and `JSON.parse` with nothing checked behind it. */
import { createHmac } from "node:crypto"
import { Agent, request } from "undici"
import type { Pager } from "../paging/Pager.ts"
import * as Service from "../paging/Service.ts"

export const undiciPages: Pager = {
  prepare: (service) => {
    const dispatcher = new Agent({ keepAliveTimeout: 60_000 })
    const addresses = Service.pages(service)
    const path = service.baseUrl + Service.paths[service.kind]
    const types = service.kind === "transfers" ? new URLSearchParams(Service.accountTypes).toString() + "&" : ""
    return (lanes) =>
      Service.inLanes(addresses, lanes, async ({ endTime, page, startTime }) => {
        const query = `${types}startTime=${startTime}&endTime=${endTime}&limit=${Service.PAGE}&page=${page}` +
          `&timestamp=${Date.now()}&recvWindow=${Service.RECV_WINDOW}`
        const signature = createHmac("sha256", Service.SECRET).update(query).digest("hex")
        const { body, statusCode } = await request(`${path}?${query}&signature=${signature}`, {
          dispatcher,
          headers: { "X-MEXC-APIKEY": Service.API_KEY }
        })
        if (statusCode !== 200) throw new Error(`HTTP ${statusCode}`)
        return JSON.parse(await body.text()).length
      })
  }
}
