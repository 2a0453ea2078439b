import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['e2e/loading.measure.ts'],
    globalSetup: ['e2e/world.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
    // The same patience as in all other waits: a busy machine can take longer than the default of 1 s.
    expect: { poll: { timeout: 60_000 } },
  },
})
