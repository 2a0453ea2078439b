import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import type { Plugin } from 'vite'

const compressible = /\.(html|js|css|svg|json|webmanifest|txt)$/
// Below this size, compression saves almost nothing.
const leastBytes = 512

/** Writes x.br and x.gz for each text file x of the build. The server sends one of them. */
export function precompress(): Plugin {
  let dir = ''
  return {
    name: 'precompress',
    apply: 'build',
    configResolved(config) {
      dir = join(config.root, config.build.outDir)
    },
    async closeBundle() {
      const entries = await readdir(dir, { recursive: true })
      await Promise.all(entries.filter((name) => compressible.test(name)).map(compress))
    },
  }

  async function compress(name: string) {
    const path = join(dir, name)
    const raw = await readFile(path)
    if (raw.length < leastBytes) return
    const params = { [constants.BROTLI_PARAM_SIZE_HINT]: raw.length }
    await Promise.all([
      writeFile(`${path}.br`, brotliCompressSync(raw, { params })),
      writeFile(`${path}.gz`, gzipSync(raw, { level: 9 })),
    ])
  }
}
