// Fails if the app is too large. The sizes are those of the gzip files that the server sends.
import { readFileSync, statSync } from 'node:fs'

const dist = new URL('../dist/app/', import.meta.url)
const kilobyte = 1_000

/** @typedef {{ file: string, css?: string[], imports?: string[] }} Chunk */

/** @type {Record<string, Chunk>} */
const manifest = JSON.parse(readFileSync(new URL('manifest.json', dist), 'utf8'))

/**
 * Returns all files that load with a chunk: its file, its styles, and those of its imports.
 * @param {string} key
 * @param {Set<string>} seen
 * @returns {Set<string>}
 */
function filesOf(key, seen = new Set()) {
  const chunk = manifest[key]
  if (!chunk || seen.has(chunk.file)) return seen
  seen.add(chunk.file)
  for (const style of chunk.css ?? []) seen.add(style)
  for (const each of chunk.imports ?? []) filesOf(each, seen)
  return seen
}

/** @param {string} file */
function sizeOf(file) {
  for (const name of [`${file}.gz`, file]) {
    const stat = statSync(new URL(name, dist), { throwIfNoEntry: false })
    if (stat) return stat.size
  }
  throw new Error(`${file} was not built`)
}

/** @param {string} end */
function keyOf(end) {
  const found = Object.keys(manifest).find((key) => key.endsWith(end))
  if (!found) throw new Error(`there is no chunk for ${end}`)
  return found
}

const entry = filesOf(keyOf('index.html'))
const first = new Set(['index.html', 'theme.js', ...entry, ...filesOf(keyOf('landing-page.tsx'))])
const wallet = new Set([...filesOf(keyOf('wallet-core.ts'))].filter((file) => !entry.has(file)))

let failed = false
for (const { name, files, limit } of [
  { name: 'first load', files: first, limit: 170 },
  { name: 'wallet chunk', files: wallet, limit: 90 },
]) {
  const size = [...files].reduce((sum, file) => sum + sizeOf(file), 0) / kilobyte
  failed ||= size > limit
  console.log(
    `${name}: ${size.toFixed(1)} kB gzip in ${files.size} files; the limit is ${limit} kB`,
  )
}
if (failed) process.exitCode = 1
