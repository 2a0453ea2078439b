// The stages of tests that each mutant must pass: the quick ones run first, the others only if
// those pass. Two tests are omitted. The gas snapshot measures the shipped artifacts and would
// detect every difference. The raw campaign calls contracts through ABIs that forge finds only for
// code that it has compiled itself.
const fs = require('fs')
const path = require('path')
const { root } = require('./compiler.cjs')
const { hash } = require('./mutants.cjs')

const slow = ['test/invariant', 'test/scenario']
const raw = 'test/invariant/raw'
const exceptGas = ['--no-match-contract', 'GasTest']

const within = (file, folders) => folders.some((folder) => file.startsWith(`${folder}/`))
const outside = (folders) => [...exceptGas, '--no-match-path', `{${folders.map((name) => `${name}/**`).join(',')}}`]

const stages = [
  {
    name: 'unit',
    holds: (file) => !within(file, slow),
    selection: outside(slow),
    environment: { FOUNDRY_FUZZ_RUNS: '16' },
  },
  {
    name: 'all',
    holds: (file) => !within(file, [raw]),
    selection: outside([raw]),
    environment: { FOUNDRY_FUZZ_RUNS: '256', FOUNDRY_INVARIANT_RUNS: '16', FOUNDRY_INVARIANT_DEPTH: '64' },
  },
]

/** Returns the files that contain a stage's tests. */
function testFiles({ holds }) {
  const files = fs.readdirSync(path.join(root, 'test'), { recursive: true })
  return files.map((file) => `test/${file}`).filter((file) => file.endsWith('.t.sol') && holds(file)).sort()
}

/** Returns a hash of the test files and their imports, excluding the contracts. */
function fingerprint(files) {
  const texts = new Map()
  const add = (file) => {
    if (texts.has(file) || !file.startsWith('test/')) return
    const text = fs.existsSync(path.join(root, file)) ? fs.readFileSync(path.join(root, file), 'utf8') : ''
    texts.set(file, text)
    for (const [, name] of text.matchAll(/ from "(\..*)";$/gm)) add(path.join(path.dirname(file), name))
  }
  files.forEach(add)
  return hash(...[...texts].flat())
}

module.exports = { fingerprint, stages, testFiles }
