// Creates all mutants of a file. Each has one change and an id that does not depend on other
// changes.
const { createHash } = require('crypto')
const path = require('path')
const expressions = require('./expressions.cjs')
const statements = require('./statements.cjs')
const { walk } = require('./tree.cjs')

const operators = { ...expressions, ...statements }

const hash = (...texts) => createHash('sha256').update(texts.join('\0')).digest('hex')
const oneLine = (text) => text.replace(/\s*\n\s*/g, ' ').trim()

function functionName({ callable, contract }) {
  return callable?.name || callable?.kind || contract?.name || 'file'
}

function mutated({ bytes }, { start, end }, text) {
  return bytes.toString('utf8', 0, start) + text + bytes.toString('utf8', end)
}

/** Returns the mutants of `source` in text order, without duplicates. */
function mutantsOf(source, byId) {
  const found = new Map()
  walk(source, byId, (node, scope, parent) => {
    for (const [operator, answers] of Object.entries(operators)) {
      for (const text of answers(node, scope, parent)) {
        const span = statementSpan(scope.span(node), source, operator)
        const whole = mutated(source, span, text)
        if (!found.has(whole)) found.set(whole, describe(node, scope, operator, span, text, whole))
      }
    }
  })
  return numbered([...found.values()].sort((a, b) => a.start - b.start))
}

/** Returns the span to replace; it includes the semicolon if a statement is replaced. */
function statementSpan({ start, end }, { bytes }, operator) {
  const replaced = ['check', 'statement', 'result'].includes(operator)
  return { start, end: replaced && bytes[end] === 0x3b ? end + 1 : end }
}

function describe(node, scope, operator, { start, end }, text, whole) {
  const file = path.basename(scope.source.name)
  const before = oneLine(scope.source.bytes.toString('utf8', start, end))
  const line = lineAt(scope.source, start)
  const where = line === before ? '' : ` @ ${line}`
  const place = `${file}:${functionName(scope)}`
  const id = [place, operator, `${before} => ${oneLine(text) || 'nothing'}${where}`].join(':')
  return { id, place, file: scope.source.name, operator, start, end, text, whole }
}

function lineAt({ bytes }, start) {
  const [before, after] = [bytes.toString('utf8', 0, start), bytes.toString('utf8', start)]
  return (before.split('\n').pop() + after.split('\n', 1)[0]).trim()
}

/** Makes duplicate ids unique. */
function numbered(mutants) {
  const seen = new Map()
  return mutants.map((mutant) => {
    const times = (seen.get(mutant.id) ?? 0) + 1
    seen.set(mutant.id, times)
    return times === 1 ? mutant : { ...mutant, id: `${mutant.id} #${times}` }
  })
}

/** Returns the lines that a mutant changes, in diff format. */
function diff({ bytes }, { file, start, end, whole }) {
  const original = bytes.toString('utf8')
  const first = bytes.toString('utf8', 0, start).split('\n').length
  const last = bytes.toString('utf8', 0, end).split('\n').length
  const [before, after] = [original.split('\n'), whole.split('\n')]
  const left = before.slice(first - 1, last)
  const right = after.slice(first - 1, last + after.length - before.length)
  return [`${file}:${first}`, ...left.map((line) => `-${line}`), ...right.map((line) => `+${line}`)].join('\n')
}

module.exports = { diff, hash, mutantsOf, operators: Object.keys(operators) }
