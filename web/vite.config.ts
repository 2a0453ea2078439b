import { fileURLToPath } from 'node:url'
import tailwindcss from '@tailwindcss/vite'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vitest/config'
import { precompress } from './build/precompress.ts'

// Where `npm run dev` finds the API: the world that `make run` brought up.
const world = process.env.TASKMARKET_WEB_URL ?? 'http://127.0.0.1:8080'

export default defineConfig({
  plugins: [react(), tailwindcss(), precompress()],
  resolve: { alias: { '@': fileURLToPath(new URL('./src', import.meta.url)) } },
  build: {
    outDir: 'dist/app',
    emptyOutDir: true,
    manifest: 'manifest.json',
    // The policy of the pages has no room for data: scripts or fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: Object.fromEntries(
      ['/api', '/app.json', '/dev', '/docs', '/skill.md', '/llms.txt', '/openapi.yaml'].map(
        (path) => [path, { target: world, headers: { origin: world } }],
      ),
    ),
  },
  test: {
    include: ['src/**/*.test.{ts,tsx}', 'build/**/*.test.ts'],
    environment: 'node',
    // In ms. Tests that start programs need more than the usual time on a busy machine.
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
})
