/** One PostgreSQL for a run of a project's tests: the one that TALLYSTICK_TEST_DATABASE_URL names, whose role may create databases, or one of our own. */
import type { TestProject } from "vitest/node"
import * as PostgresServer from "./PostgresServer.ts"

declare module "vitest" {
  export interface ProvidedContext {
    /** The database from which others are made. */
    readonly postgres: string
  }
}

export const setup = async (project: TestProject): Promise<(() => Promise<void>) | undefined> => {
  const url = process.env["TALLYSTICK_TEST_DATABASE_URL"]
  if (url !== undefined && url !== "") {
    project.provide("postgres", url)
    return undefined
  }
  const server = await PostgresServer.start()
  project.provide("postgres", server.url)
  return server.stop
}
