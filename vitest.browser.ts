import { availableParallelism } from "node:os"
import { defineConfig } from "vitest/config"

/** Tests that open the HTML report, and the console, in a real browser. They need Chromium; everything else does without it. */
export default defineConfig({
  test: {
    include: ["packages/{report,console}/browser/**/*.test.ts"],
    // By itself vitest leaves one core to others. Every file has a browser of its own.
    maxWorkers: availableParallelism(),
    testTimeout: 120_000,
    hookTimeout: 120_000
  }
})
