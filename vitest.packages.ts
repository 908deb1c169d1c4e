import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** The packed packages, installed. Needs what `pnpm build` makes, and npm. */
export default defineConfig({
  test: {
    name: "packages",
    root: "packaging",
    include: ["*.test.ts"],
    globalSetup: "support/pack.setup.ts",
    // By itself vitest leaves one core to others. Every file has folders of its own.
    maxWorkers: availableParallelism(),
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
