import { defineConfig } from "vitest/config"

/** Tests that open the HTML report in a real browser. They need Chromium; everything else does without it. */
export default defineConfig({
  test: {
    include: ["packages/report/browser/**/*.test.ts"],
    testTimeout: 60_000,
    hookTimeout: 60_000
  }
})
