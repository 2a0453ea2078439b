// Mutation operators for statements, modifiers and results. As in expressions.cjs, each returns the
// texts that can replace the node.
const { typeOf } = require('./tree.cjs')

const nothing = '{}'

/** Whether a statement calls a function without side effects, so that it can only revert. */
const isRequirement = (node) =>
  node.nodeType === 'ExpressionStatement' &&
  node.expression.nodeType === 'FunctionCall' &&
  / (view|pure)( |$)/.test(typeOf(node.expression.expression))

const isRevert = (node) =>
  node.nodeType === 'RevertStatement' ||
  (node.nodeType === 'Block' && node.statements.length === 1 && isRevert(node.statements[0]))

function check(node) {
  return node.nodeType === 'RevertStatement' || isRequirement(node) ? [nothing] : []
}

/** Replaces a condition by a constant, unless `check` already does so or a loop would never end. */
function condition(node, scope, parent) {
  if (!parent || parent.condition !== node) return []
  if (parent.nodeType === 'Conditional') return ['true', 'false']
  if (parent.nodeType !== 'IfStatement') return ['false']
  return isRevert(parent.trueBody) ? ['true'] : ['true', 'false']
}

const effects = new Set(['EmitStatement', 'ExpressionStatement', 'TryStatement'])
const yulEffects = new Set(['YulAssignment', 'YulExpressionStatement'])

function statement(node) {
  if (yulEffects.has(node.nodeType)) return ['']
  return effects.has(node.nodeType) && !isRequirement(node) ? [nothing] : []
}

function modifier(node) {
  return node.nodeType === 'ModifierInvocation' && node.kind === 'modifierInvocation' ? [''] : []
}

function zeros(type) {
  if (type === 'bool') return ['true', 'false']
  if (/^uint|^bytes\d+$/.test(type)) return ['0']
  return type === 'address' ? ['address(0)'] : []
}

/** Replaces a function's result by the zero value of its type, or a boolean by both values. */
function result(node, scope) {
  if (node.nodeType !== 'Return' || !node.expression) return []
  const types = scope.callable.returnParameters.parameters.map(typeOf)
  const { components } = node.expression
  if (types.length === 1 || !components) {
    const all = types.map(zeros)
    if (all.some((list) => list.length === 0)) return []
    if (types.length === 1) return all[0].map((zero) => `return ${zero};`)
    return [`return (${all.map((list) => list[0]).join(', ')});`]
  }
  const texts = components.map((component) => scope.text(component))
  return types.flatMap((type, i) => zeros(type).map((zero) => `return (${texts.with(i, zero).join(', ')});`))
}

module.exports = { check, condition, statement, modifier, result }
