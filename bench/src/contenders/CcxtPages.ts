/** ccxt's class for the exchange whose operations these are, pointed at the server by `urls`. */
import { mexc } from "ccxt"
import type { Pager, Read } from "../paging/Pager.ts"
import * as Service from "../paging/Service.ts"

const reader = (
  service: Service.Service,
  treat: (exchange: mexc, list: Array<object>) => number
): Read => {
  const exchange = new mexc({
    apiKey: Service.API_KEY,
    secret: Service.SECRET,
    enableRateLimit: false,
    options: { recvWindow: Service.RECV_WINDOW }
  })
  const api = exchange.urls["api"]
  if (typeof api !== "object") throw new Error("ccxt keeps its addresses elsewhere")
  exchange.urls["api"] = { ...api, broker: { private: `${service.baseUrl}/api/v3/broker` } }
  const addresses = Service.pages(service)
  return (lanes) =>
    Service.inLanes(addresses, lanes, async (address) => {
      const list = service.kind === "deposits"
        ? await exchange.brokerPrivateGetCapitalDepositSubHisrecGetall({ ...address, limit: Service.PAGE })
        : await exchange.brokerPrivateGetSubAccountUniversalTransfer({
          ...Service.accountTypes,
          ...address,
          limit: Service.PAGE
        })
      if (!Array.isArray(list)) throw new Error("no list")
      return treat(exchange, list)
    })
}

/** The signed call of the operation: what comes back is the JSON as it was parsed. */
export const raw: Pager = { prepare: (service) => reader(service, (_, list) => list.length) }

/** The same, and each record brought into ccxt's own form, as `fetchDeposits` and `fetchTransfers` do. */
export const parsed: Pager = {
  prepare: (service) =>
    reader(
      service,
      (exchange, list) =>
        (service.kind === "deposits" ? exchange.parseTransactions(list) : exchange.parseTransfers(list)).length
    )
}
