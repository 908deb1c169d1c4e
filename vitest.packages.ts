import { defineConfig } from "vitest/config"

/** The packed packages, installed. Needs what `pnpm build` makes, and npm. */
export default defineConfig({
  test: {
    name: "packages",
    root: "packaging",
    include: ["*.test.ts"],
    globalSetup: "support/pack.setup.ts",
    // One file builds what others copy: they take turns, so that none copies half of it.
    fileParallelism: false,
    testTimeout: 300_000,
    hookTimeout: 300_000
  }
})
