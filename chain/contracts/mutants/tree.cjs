// The syntax tree with the data that mutation operators need: each node's text and position, and
// the names in its scope.

// Nodes that are not executed: types, type declarations and documentation.
const inert = new Set([
  'EnumDefinition', 'ErrorDefinition', 'EventDefinition', 'ImportDirective', 'InheritanceSpecifier',
  'PragmaDirective', 'StructDefinition', 'StructuredDocumentation', 'UserDefinedValueTypeDefinition',
  'UsingForDirective',
])

function children(node) {
  return Object.entries(node)
    .filter(([key]) => key !== 'typeName')
    .flatMap(([, value]) => value)
    .filter((value) => value?.nodeType && !inert.has(value.nodeType))
}

const typeOf = (node) => node?.typeDescriptions?.typeString ?? ''
const isWritten = (node, parent) =>
  node.lValueRequested || parent.leftHandSide === node || (parent.components && parent.lValueRequested)
const isAddress = (node) => /^address( payable)?$/.test(typeOf(node))

/** Returns every declaration in all files, by its id. */
function declarations(sources) {
  const byId = new Map()
  const visit = (node) => {
    if (node.id !== undefined) byId.set(node.id, node)
    for (const value of Object.values(node).flat()) if (value?.nodeType) visit(value)
  }
  for (const { ast } of sources.values()) visit(ast)
  return byId
}

class Scope {
  constructor(source, byId, contract, callable) {
    Object.assign(this, { source, byId, contract, callable })
  }

  span({ src }) {
    const [start, length] = src.split(':').map(Number)
    return { start, end: start + length }
  }

  text(node) {
    const { start, end } = this.span(node)
    return this.source.bytes.toString('utf8', start, end)
  }

  between(left, right) {
    return this.source.bytes.toString('utf8', this.span(left).end, this.span(right).start)
  }

  declaration(node) {
    return this.byId.get(node.referencedDeclaration)
  }

  /**
   * Returns the addresses that can be read at `node`: the caller and local variables, or state
   * variables if there are no others.
   */
  addresses(node) {
    if (!this.callable) return []
    const before = (variable) => this.span(variable).end <= this.span(node).start
    const local = variables(this.callable).filter((variable) => variable.name && before(variable))
    const names = (list) => list.filter(isAddress).map((variable) => variable.name)
    const near = ['msg.sender', ...names(local)].filter((name) => name !== this.text(node))
    return near.length > 0 ? near : names(this.stored())
  }

  /** Returns the contract's state variables, including inherited ones. */
  stored() {
    return (this.contract?.linearizedBaseContracts ?? [])
      .flatMap((id) => this.byId.get(id).nodes)
      .filter((member) => member.nodeType === 'VariableDeclaration')
      .filter((member) => member.visibility !== 'private' || member.scope === this.contract.id)
  }
}

function variables(node) {
  return children(node).flatMap((child) =>
    child.nodeType === 'VariableDeclaration' ? [child] : variables(child),
  )
}

const callables = new Set(['FunctionDefinition', 'ModifierDefinition', 'VariableDeclaration'])

/** Calls visit(node, scope, parent) for every node of a file that can be executed. */
function walk(source, byId, visit) {
  const descend = (node, scope, parent) => {
    if (node.nodeType === 'ContractDefinition') scope = new Scope(source, byId, node, null)
    else if (callables.has(node.nodeType) && !scope.callable) {
      scope = new Scope(source, byId, scope.contract, node)
    }
    visit(node, scope, parent)
    for (const child of children(node)) descend(child, scope, node)
  }
  descend(source.ast, new Scope(source, byId, null, null), null)
}

module.exports = { declarations, isAddress, isWritten, typeOf, walk }
