// The tests that judge a mutant: the quick ones first, all of them only when those find nothing. The
// gas snapshot is of the artifacts that ship and would see every difference.
const fs = require('fs')
const path = require('path')
const { root } = require('./compiler.cjs')
const { hash } = require('./mutants.cjs')

const slow = ['invariant', 'scenario']
const exceptGas = ['--no-match-contract', 'GasTest']

const stages = [
  {
    name: 'unit',
    holds: (file) => !slow.includes(file.split(path.sep)[0]),
    selection: [...exceptGas, '--no-match-path', `test/{${slow.join(',')}}/**`],
    environment: { FOUNDRY_FUZZ_RUNS: '16' },
  },
  {
    name: 'all',
    holds: () => true,
    selection: exceptGas,
    environment: { FOUNDRY_FUZZ_RUNS: '256', FOUNDRY_INVARIANT_RUNS: '16', FOUNDRY_INVARIANT_DEPTH: '64' },
  },
]

/** What the tests of a stage are, in a word that changes when one of them does. */
function fingerprint({ name, holds }) {
  const folder = path.join(root, 'test')
  const files = fs.readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.sol') && holds(file))
  return hash(name, ...files.sort().map((file) => file + fs.readFileSync(path.join(folder, file), 'utf8')))
}

module.exports = { fingerprint, stages }
