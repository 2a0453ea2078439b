import { spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

// A lint rule whose pattern matches nothing never fails, so the test tries a forbidden import for
// each layer.
const forbidden = [
  ['lib', 'api/task'],
  ['messages', 'ui/button'],
  ['ui', 'api/task'],
  ['ui', 'chain/wallet'],
  ['api', 'chain/wallet'],
  ['config', 'chain/wallet'],
  ['chain', 'ui/button'],
  ['components', 'features/task/task-page'],
  ['features/task', 'features/work/work-page'],
  ['features/task', 'app/router'],
]
const allowed = [
  ['ui', 'lib/time'],
  ['chain', 'api/task'],
  ['features/task', 'components/thread'],
]

const dir = mkdtempSync(join(tmpdir(), 'layers-'))
let findings = ''

const probe = ([folder = '', imported = '']: string[]) =>
  `src/${folder}/probe-${imported.replaceAll('/', '-')}.ts`

beforeAll(() => {
  copyFileSync('biome.jsonc', join(dir, 'biome.jsonc'))
  for (const each of [...forbidden, ...allowed]) {
    const file = join(dir, probe(each))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, `import { x } from '@/${each[1]}'\nx()\n`)
  }
  const args = ['lint', '--only=style/noRestrictedImports', '--max-diagnostics=none', '.']
  const result = spawnSync(resolve('node_modules/.bin/biome'), args, { cwd: dir, encoding: 'utf8' })
  findings = result.stdout + result.stderr
})

afterAll(() => rmSync(dir, { recursive: true }))

test.each(forbidden)('lint rejects that %s imports %s', (...each) => {
  expect(findings).toContain(`${probe(each)}:`)
})

test.each(allowed)('lint accepts that %s imports %s', (...each) => {
  expect(findings).not.toContain(probe(each))
})
