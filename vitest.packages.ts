import { defineConfig } from "vitest/config"

/** The packed packages, installed. Needs what `pnpm build` makes, and npm. */
export default defineConfig({
  test: {
    name: "packages",
    root: "packaging",
    include: ["*.test.ts"],
    globalSetup: "support/pack.setup.ts",
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
