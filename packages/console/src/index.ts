/** Serves the books of an archive over HTTP, for the people at the desk and for programs. */
export * as ConsoleApi from "./ConsoleApi.ts"
export * as ConsoleClient from "./ConsoleClient.ts"
export * as ConsoleError from "./ConsoleError.ts"
export * as ConsoleServer from "./ConsoleServer.ts"
export * as Person from "./Person.ts"
export * as TokenHash from "./TokenHash.ts"
export * as Users from "./Users.ts"
