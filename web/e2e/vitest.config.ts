import { defineConfig } from 'vitest/config'

export default defineConfig({
  test: {
    include: ['e2e/*.story.ts'],
    globalSetup: ['e2e/world.ts'],
    // The stories share a world and a machine.
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 240_000,
  },
})
