// node compile.cjs [directory]: compiles src/ and writes <directory>/<Name>.json, by default
// artifacts/<Name>.json, with the ABI and the creation bytecode of every contract that can be
// deployed.
const fs = require('fs')
const path = require('path')
const solc = require('solc')

const settings = {
  viaIR: true,
  optimizer: { enabled: true, runs: 10000 },
  evmVersion: 'cancun',
  metadata: { bytecodeHash: 'none', appendCBOR: false },
  outputSelection: { '*': { '*': ['abi', 'evm.bytecode.object'] } },
}
const accepted = [
  '2394', // OpenZeppelin's own use of tstore
  '8760', // the parameter workHash of submitTask shadows the view of that name
  '6335', // OpenZeppelin's functions named at
]

const root = __dirname
const read = (name) => ({ content: fs.readFileSync(path.join(root, name), 'utf8') })

function importFile(name) {
  const file = path.join(root, name.startsWith('@') ? 'node_modules' : '', name)
  return fs.existsSync(file) ? { contents: fs.readFileSync(file, 'utf8') } : { error: `no such file: ${name}` }
}

function compile(names) {
  const sources = Object.fromEntries(names.map((name) => [name, read(name)]))
  const input = JSON.stringify({ language: 'Solidity', sources, settings })
  const output = JSON.parse(solc.compile(input, { import: importFile }))
  const faults = (output.errors ?? []).filter((fault) => !accepted.includes(fault.errorCode))
  for (const fault of faults) console.error(fault.formattedMessage)
  if (faults.length > 0) process.exit(1)
  return output.contracts
}

const names = fs
  .readdirSync(path.join(root, 'src'))
  .filter((name) => name.endsWith('.sol'))
  .sort()
  .map((name) => `src/${name}`)
const directory = path.resolve(process.argv[2] ?? path.join(root, 'artifacts'))
const contracts = compile(names)

fs.rmSync(directory, { recursive: true, force: true })
fs.mkdirSync(directory, { recursive: true })
for (const name of names) {
  for (const [contract, { abi, evm }] of Object.entries(contracts[name])) {
    if (!evm.bytecode.object) continue // abstract contracts, interfaces and libraries
    const artifact = { abi, bytecode: `0x${evm.bytecode.object}` }
    fs.writeFileSync(path.join(directory, `${contract}.json`), JSON.stringify(artifact, null, 1) + '\n')
  }
}
