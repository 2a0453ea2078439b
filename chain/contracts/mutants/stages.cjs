// The tests that judge a mutant: the quick ones first, the others only if those pass. Two are
// omitted: the gas snapshot is of the shipped artifacts and would detect every difference, and the
// raw campaign calls contracts by an ABI that forge finds only for code that it compiled.
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

/** The files of a stage's tests. */
function testFiles({ holds }) {
  const files = fs.readdirSync(path.join(root, 'test'), { recursive: true })
  return files.map((file) => `test/${file}`).filter((file) => file.endsWith('.t.sol') && holds(file)).sort()
}

/** A hash of the test files and of their imports, without the contracts. */
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
