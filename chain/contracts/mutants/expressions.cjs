// Mutation operators for expressions. Each receives a node, its scope and its parent, and returns
// the texts that can replace the node.
const { isAddress, isWritten, typeOf } = require('./tree.cjs')

const comparisons = {
  '<': ['<=', '>='],
  '<=': ['<', '>'],
  '>': ['>=', '<='],
  '>=': ['>', '<'],
  '==': ['!='],
  '!=': ['=='],
}
const connectives = { '&&': '||', '||': '&&' }
const neutral = { '&&': 'true', '||': 'false' }
const inverses = { '+': '-', '-': '+', '*': '/', '/': '*', '%': '*', '+=': '-=', '-=': '+=' }
const steps = { '++': '--', '--': '++' }

function withOperator(node, scope, operator) {
  const [left, right] = [node.leftExpression ?? node.leftHandSide, node.rightExpression ?? node.rightHandSide]
  const between = scope.between(left, right).replace(node.operator, operator)
  return scope.text(left) + between + scope.text(right)
}

const isBinary = (node) => node.nodeType === 'BinaryOperation'

function comparison(node, scope) {
  if (!isBinary(node)) return []
  return (comparisons[node.operator] ?? []).map((operator) => withOperator(node, scope, operator))
}

/** Replaces && by || and vice versa, or the whole expression by one of its operands. */
function logic(node, scope) {
  const swapped = isBinary(node) && connectives[node.operator]
  if (!swapped) return []
  const { leftExpression: left, rightExpression: right } = node
  const without = neutral[node.operator]
  return [
    withOperator(node, scope, swapped),
    without + scope.between(left, right) + scope.text(right),
    scope.text(left) + scope.between(left, right) + without,
  ]
}

function negation(node, scope) {
  return node.nodeType === 'UnaryOperation' && node.operator === '!' ? [scope.text(node.subExpression)] : []
}

function arithmetic(node, scope) {
  if (!isBinary(node) && node.nodeType !== 'Assignment') return []
  const inverse = inverses[node.operator]
  return inverse ? [withOperator(node, scope, inverse)] : []
}

function step(node, scope) {
  const opposite = node.nodeType === 'UnaryOperation' && steps[node.operator]
  return opposite ? [scope.text(node).replace(node.operator, opposite)] : []
}

/**
 * Returns a number plus and minus one. A hexadecimal number keeps its width; a number with a unit
 * changes by the smallest unit.
 */
function nudged(text) {
  if (/[. e]/i.test(text) && !text.startsWith('0x')) return [`(${text} + 1)`, `(${text} - 1)`]
  const value = BigInt(text.replaceAll('_', ''))
  const written = (number) =>
    text.startsWith('0x') ? `0x${number.toString(16).padStart(text.length - 2, '0')}` : `${number}`
  return value === 0n ? [written(1n)] : [written(value + 1n), written(value - 1n)]
}

function literal(node, scope) {
  if (node.nodeType === 'YulLiteral' && node.kind === 'number') return nudged(scope.text(node))
  if (node.nodeType !== 'Literal') return []
  if (node.kind === 'number') return nudged(scope.text(node))
  if (node.kind === 'string' && node.value !== '') return [scope.text(node).replace(/.$/, '~$&')]
  return []
}

/** Replaces a use of a constant by the constant plus and minus one. */
function constant(node, scope) {
  if (node.nodeType !== 'Identifier' || !/^uint/.test(typeOf(node))) return []
  if (!scope.declaration(node)?.constant) return []
  return [`(${node.name} + 1)`, `(${node.name} - 1)`]
}

/** Replaces an enum member by the next and by the previous one. */
function member(node, scope) {
  const value = node.nodeType === 'MemberAccess' && scope.declaration(node)
  if (value?.nodeType !== 'EnumValue') return []
  const { members } = scope.declaration(node.expression)
  const index = members.findIndex(({ id }) => id === value.id)
  const others = [1, members.length - 1].map((offset) => members[(index + offset) % members.length].name)
  return [...new Set(others)].map((name) => `${scope.text(node.expression)}.${name}`)
}

/** Replaces an address by others in scope. */
function address(node, scope, parent) {
  const named = node.nodeType === 'MemberAccess' || scope.declaration(node)?.nodeType === 'VariableDeclaration'
  if (!named || !isAddress(node) || isWritten(node, parent)) return []
  return scope.addresses(node)
}

const kindOf = (node) =>
  typeOf(node).replace(/^(u?int\d*|int_const .*)$/, 'int').replace(/ (memory|calldata|payable)$/, '')

/** Swaps two compatible elements of a list. The text around them is unchanged. */
function exchanged(node, list, scope) {
  const { start, end } = scope.span(node)
  const { bytes } = scope.source
  const pairs = list.flatMap((first, i) => list.slice(i + 1).map((second) => [first, second]))
  return pairs
    .filter(([first, second]) => first && second && kindOf(first) === kindOf(second))
    .map(([first, second]) => {
      const [a, b] = [scope.span(first), scope.span(second)]
      return [
        bytes.toString('utf8', start, a.start),
        scope.text(second),
        scope.between(first, second),
        scope.text(first),
        bytes.toString('utf8', b.end, end),
      ].join('')
    })
}

const symmetric = new Set(['max', 'min'])

/** Swaps arguments of a call, event, error or struct, or components of a tuple. */
function exchange(node, scope, parent) {
  if (symmetric.has(scope.declaration(node.expression ?? node)?.name)) return []
  if (node.nodeType === 'FunctionCall') return exchanged(node, node.arguments, scope)
  if (node.nodeType === 'ModifierInvocation') return exchanged(node, node.arguments ?? [], scope)
  if (node.nodeType !== 'TupleExpression' || isWritten(node, parent)) return []
  return exchanged(node, node.components, scope)
}

module.exports = {
  comparison, logic, negation, arithmetic, step, literal, constant, member, address, exchange,
}
