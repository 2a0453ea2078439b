// Runs the compiler in this process, so that it is loaded only once. Compilation via IR is disabled
// for speed; `optimized` is used only to compare the bytecode of two versions.
const fs = require('fs')
const path = require('path')
const solc = require('solc')

const root = path.dirname(__dirname)

const settings = {
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
}

function read(name, replaced) {
  if (name in replaced) return { contents: replaced[name] }
  const file = path.join(root, name.startsWith('@') ? 'node_modules' : '', name)
  return fs.existsSync(file) ? { contents: fs.readFileSync(file, 'utf8') } : { error: `no such file: ${name}` }
}

function run(names, replaced, options) {
  const sources = Object.fromEntries(names.map((name) => [name, { content: read(name, replaced).contents }]))
  const input = JSON.stringify({ language: 'Solidity', sources, settings: { ...settings, ...options } })
  const output = JSON.parse(solc.compile(input, { import: (name) => read(name, replaced) }))
  const errors = (output.errors ?? []).filter((fault) => fault.severity === 'error')
  return { ...output, errors: errors.map((fault) => fault.formattedMessage) }
}

/**
 * Returns the AST and the text of every file that `names` depend on, by file. The text is in bytes,
 * because AST positions count bytes.
 */
function parse(names, replaced = {}) {
  const output = run(names, replaced, { outputSelection: { '*': { '': ['ast'] } } })
  if (output.errors.length > 0) throw new Error(output.errors.join('\n'))
  return new Map(
    Object.entries(output.sources).map(([name, { ast }]) => [
      name,
      { name, ast, bytes: Buffer.from(read(name, replaced).contents) },
    ]),
  )
}

/**
 * Returns the creation code of each contract in `contracts` ({ file, name }), by name; null if it
 * does not compile.
 */
function creationCode(contracts, replaced = {}, optimized = false) {
  const outputSelection = {}
  for (const { file, name } of contracts) (outputSelection[file] ??= {})[name] = ['evm.bytecode.object']
  const files = Object.keys(outputSelection)
  const output = run(files, replaced, { optimizer: { enabled: optimized, runs: 10000 }, outputSelection })
  if (output.errors.length > 0) return null
  return Object.fromEntries(
    contracts.map(({ file, name }) => [name, output.contracts[file][name].evm.bytecode.object]),
  )
}

module.exports = { root, parse, creationCode }
