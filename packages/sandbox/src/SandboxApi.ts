/**
 * Describes the sandbox as an OpenAPI document (3.1): the answers of the service's operations while no faults are in force, and
 * `/sandbox/faults`.
 *
 * The sandbox serves this document, but does not check requests by it: it checks raw requests, as the service does.
 * `reference/test/openApi.test.ts` compares the document with the sandbox.
 */
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiMiddleware from "effect/http-api/HttpApiMiddleware"
import * as HttpApiSecurity from "effect/http-api/HttpApiSecurity"
import * as OpenApi from "effect/http-api/OpenApi"
import * as Schema from "effect/Schema"
import * as Faults from "./Faults.ts"
import * as Codes from "./internal/docs/Codes.ts"
import * as Wire from "./internal/docs/Wire.ts"

/** The header that names the key. */
class Signed extends HttpApiMiddleware.Service<Signed>()("@tallystick/sandbox/SandboxApi/Signed", {
  security: { apiKey: HttpApiSecurity.apiKey({ in: "header", key: "X-MEXC-APIKEY" }) }
}) {}

const described = (summary: string, description: string) => OpenApi.annotations({ summary, description })

const createApiKey = HttpApiEndpoint.post("createApiKey", "/api/v3/broker/sub-account/apiKey", {
  query: { ...Wire.signature },
  payload: Wire.KeyRequest,
  success: Wire.Key,
  error: Codes.ofKeys.map(Wire.refusal)
}).annotateMerge(described(
  "Create an API key of a sub-account",
  "Needs the permission `SPOT_ACCOUNT_WRITE`. Every request that passes makes a new key: it must not be repeated."
))

const universalTransfers = HttpApiEndpoint.get(
  "universalTransfers",
  "/api/v3/broker/sub-account/universalTransfer",
  {
    query: {
      ...Wire.ofTransfers,
      ...Wire.interval,
      ...Wire.paging("1 to 500, 500 unless given"),
      ...Wire.signature
    },
    success: Schema.Array(Wire.Transfer),
    error: Codes.ofLists.map(Wire.refusal)
  }
).annotateMerge(described(
  "List the transfers of one pair of accounts",
  "Needs the permission `SPOT_TRANSFER_READ`. Without times, those of the last 7 days. No order and no end mark is " +
    "promised."
))

const subAccountDeposits = HttpApiEndpoint.get(
  "subAccountDeposits",
  "/api/v3/broker/capital/deposit/subHisrec/getall",
  {
    query: {
      ...Wire.ofDeposits,
      ...Wire.interval,
      ...Wire.paging("1 to 1000, 100 unless given"),
      ...Wire.signature
    },
    success: Schema.Array(Wire.Deposit),
    error: Codes.ofLists.map(Wire.refusal)
  }
).annotateMerge(described(
  "List the deposits of all sub-accounts",
  "Needs the permission `SPOT_DEPOSIT_READ`. Those of the last 72 hours. No order and no end mark is promised."
))

const subAccounts = HttpApiEndpoint.get("subAccounts", "/api/v3/broker/sub-account/list", {
  query: {
    ...Wire.ofSubAccounts,
    ...Wire.paging("1 to 200, 10 unless given"),
    ...Wire.signature
  },
  success: Wire.SubAccounts,
  error: Codes.ofLists.map(Wire.refusal)
}).annotateMerge(described(
  "List the sub-accounts",
  "Needs the permission `SPOT_ACCOUNT_READ`. Not in the exchange's interface description; public material has it. No order, no " +
    "end mark and no total is promised."
))

const apiKeys = HttpApiEndpoint.get("apiKeys", "/api/v3/broker/sub-account/apiKey", {
  query: { ...Wire.ofApiKeys, ...Wire.signature },
  success: Schema.Array(Wire.ListedKey),
  error: Codes.ofKeyLists.map(Wire.refusal)
}).annotateMerge(described(
  "List the API keys of a sub-account",
  "Needs the permission `SPOT_ACCOUNT_READ`. Not in the exchange's interface description; public material has it. No secret is " +
    "ever shown again."
))

const serverTime = HttpApiEndpoint.get("serverTime", "/api/v3/time", {
  success: Wire.ServerTime,
  error: Codes.ofRate.map(Wire.refusal)
}).annotateMerge(described("Tell the service's time", "Not signed."))

class Service extends HttpApiGroup.make("service", { topLevel: true })
  .add(createApiKey, apiKeys, universalTransfers, subAccountDeposits, subAccounts)
  .middleware(Signed)
  .add(serverTime)
  .annotateMerge(OpenApi.annotations({
    title: "The service",
    description:
      "The three operations of the exchange's interface description, two lists of public material, and the clock. All share one " +
      "rate limit."
  }))
{}

const Problem = Schema.Struct({
  path: Schema.String.annotateKey({ description: "Where it stands: `wire.0.share`; empty for the whole." }),
  reason: Schema.String
})

const problem = (status: number, description: string) =>
  Problem.annotate({ identifier: `Problem${status}`, description, httpApiStatus: status })

const foreign = problem(403, "Another site's page asks.")

const InForce = Faults.Faults.annotate({ identifier: "Faults", description: "The faults that are then in force." })

const FAULTS = "/sandbox/faults"

class OfTheSandbox extends HttpApiGroup.make("sandbox", { topLevel: true })
  .add(
    HttpApiEndpoint.get("faults", FAULTS, { success: InForce, error: foreign }).annotateMerge(
      described("Tell the faults in force", "What is wrong with the server at the moment.")
    ),
    HttpApiEndpoint.put("setFaults", FAULTS, {
      payload: InForce,
      success: InForce,
      error: [
        problem(400, "What cannot be read, and why; nothing changed."),
        foreign,
        problem(415, "Not declared as JSON.")
      ]
    }).annotateMerge(described("Replace all faults", "They hold from the next request on.")),
    HttpApiEndpoint.delete("endFaults", FAULTS, { success: InForce, error: foreign }).annotateMerge(
      described("End all faults", "The server is sound from the next request on.")
    )
  )
  .annotateMerge(OpenApi.annotations({
    title: "The sandbox",
    description:
      "What the service does not have: no signature, no rate limit, no faults. No web page of another site can ask."
  }))
{}

type Described = Record<string, unknown>

const isRecord = (value: unknown): value is Described => typeof value === "object" && value !== null

/** Moves a parameter's description beside its schema, where readers of documents look for it. */
const lifted = (parameter: unknown): unknown => {
  if (!isRecord(parameter) || !isRecord(parameter["schema"])) return parameter
  const { allOf, description, ...schema } = parameter["schema"]
  const parts: ReadonlyArray<unknown> = Array.isArray(allOf) ? allOf : []
  const own = parts.filter(isRecord).find((part) => "description" in part)?.["description"] ?? description
  return { ...parameter, schema, ...(own === undefined ? {} : { description: own }) }
}

const withDescriptions = (operation: Described): Described =>
  Array.isArray(operation["parameters"])
    ? { ...operation, parameters: operation["parameters"].map(lifted) }
    : operation

const transformed = (spec: Described): Described => {
  const paths = isRecord(spec["paths"]) ? spec["paths"] : {}
  return {
    ...spec,
    paths: Object.fromEntries(
      Object.entries(paths).map(([path, item]) => [
        path,
        isRecord(item)
          ? Object.fromEntries(
            Object.entries(item).map(([method, operation]) =>
              [method, isRecord(operation) ? withDescriptions(operation) : operation] as const
            )
          )
          : item
      ])
    )
  }
}

/** The definition, for Effect's own tools. */
export class SandboxApi extends HttpApi.make("sandbox").add(Service, OfTheSandbox).annotateMerge(OpenApi.annotations({
  title: "Sub-account service, as a sandbox",
  version: "v3",
  description:
    "A local server that answers the three operations of the exchange's interface description, and two lists beside them, enforces its " +
    "rules, and misbehaves on request. " +
    "A refusal is `{\"code\", \"msg\"}`; what is no operation is refused with `404` or `405`. With faults in force " +
    "answers may be late, lost, broken or odd: see docs/sandbox.md.",
  transform: transformed
})) {}

/** The OpenAPI document. */
export const document: OpenApi.OpenAPISpec = OpenApi.fromApi(SandboxApi)
