import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

/** Two projects: what needs nothing but Node, and what needs a Postgres (and a browser). No retries anywhere. */
const root = fileURLToPath(new URL('.', import.meta.url))
const shared = { retry: 0, testTimeout: 30_000 }

export default defineConfig({
  resolve: { alias: { '@': root } },
  test: {
    reporters: ['default', './tests/support/closingLine.ts'],
    projects: [
      {
        extends: true,
        test: {
          ...shared,
          name: 'pure',
          include: ['tests/{unit,property,contract,acceptance}/**/*.test.{ts,tsx}'],
        },
      },
      {
        extends: true,
        test: {
          ...shared,
          name: 'real',
          include: ['tests/{integration,e2e}/**/*.test.ts'],
          globalSetup: ['./tests/support/globalPostgres.ts'],
          testTimeout: 120_000,
          hookTimeout: 240_000,
          fileParallelism: false,
        },
      },
    ],
  },
})
