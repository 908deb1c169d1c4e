/**
 * Provides the exchange as a local server: it enforces the contract, its history has a known truth, and it makes faults on
 * request.
 */
export * as Addresses from "./Addresses.ts"
export * as Credential from "./Credential.ts"
export * as Delivery from "./Delivery.ts"
export * as Exchange from "./Exchange.ts"
export * as Faults from "./Faults.ts"
export * as History from "./History.ts"
export * as HistoryOptions from "./HistoryOptions.ts"
export * as Rules from "./Rules.ts"
export * as Sandbox from "./Sandbox.ts"
export * as SandboxApi from "./SandboxApi.ts"
export * as Server from "./Server.ts"
export * as Truth from "./Truth.ts"
export * as WireFault from "./WireFault.ts"
