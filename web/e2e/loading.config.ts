import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['e2e/loading.measure.ts'],
    globalSetup: ['e2e/world.ts'],
    testTimeout: 600_000,
    hookTimeout: 300_000,
  },
})
