// Lists the contracts to mutate and the contracts that the tests deploy.
const fs = require('fs')
const path = require('path')
const { parse, root } = require('./compiler.cjs')
const { declarations } = require('./tree.cjs')

const own = (name) => name.startsWith('src/') && !name.startsWith('src/interfaces/')

function load() {
  const entries = fs.readdirSync(path.join(root, 'src')).filter((name) => name.endsWith('.sol'))
  const sources = parse(entries.map((name) => `src/${name}`))
  const files = [...sources.values()].filter(({ name }) => own(name))
  return { sources, files, byId: declarations(sources), deployed: deployed(files) }
}

/** Returns the contracts that are deployed directly, not by another contract. */
function deployed(files) {
  const contracts = files.flatMap(({ name: file, ast }) =>
    ast.nodes
      .filter((node) => node.nodeType === 'ContractDefinition' && node.contractKind === 'contract')
      .filter((node) => !node.abstract)
      .map(({ id, name, contractDependencies }) => ({ id, file, name, contractDependencies })),
  )
  const created = new Set(contracts.flatMap(({ contractDependencies }) => contractDependencies))
  return contracts.filter(({ id }) => !created.has(id)).map(({ file, name }) => ({ file, name }))
}

/** Returns the deployed contracts whose code depends on `file`. */
function affected({ sources, deployed }, file) {
  return deployed.filter((contract) => imports(sources, contract.file).has(file))
}

function imports(sources, file, found = new Set()) {
  if (found.has(file)) return found
  found.add(file)
  for (const node of sources.get(file).ast.nodes) {
    if (node.nodeType === 'ImportDirective') imports(sources, node.absolutePath, found)
  }
  return found
}

module.exports = { affected, load }
