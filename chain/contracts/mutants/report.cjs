// Prints the totals and the surviving mutants that survivors.md does not explain.
const fs = require('fs')
const path = require('path')

const verdicts = ['killed', 'survived', 'invalid', 'same']
const titles = ['mutants', 'killed', 'survived', 'not compiled', 'same bytecode', 'killed %']

const share = (killed, survived) => (killed + survived === 0 ? 100 : (100 * killed) / (killed + survived))

function row(name, judged) {
  const counts = verdicts.map((verdict) => judged.filter((one) => one.verdict === verdict).length)
  return [name, judged.length, ...counts, share(counts[0], counts[1]).toFixed(1)]
}

function table(title, judged, column) {
  const names = [...new Set(judged.map((one) => one[column]))].sort()
  const rows = [
    [title, ...titles],
    ['---', ...titles.map(() => '---:')],
    ...names.map((name) => row(name, judged.filter((one) => one[column] === name))),
    row('all', judged),
  ]
  return rows.map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}

/** Returns the mutant ids that have a heading in survivors.md. */
function explained() {
  const text = fs.readFileSync(path.join(__dirname, 'survivors.md'), 'utf8')
  return new Set([...text.matchAll(/^### `(.*)`$/gm)].map(([, id]) => id))
}

/** Prints the report and returns whether the goal was reached. */
function report(judged, goal) {
  const known = explained()
  const survivors = judged.filter(({ verdict }) => verdict === 'survived')
  const unexplained = survivors.filter(({ id }) => !known.has(id))
  const stale = judged.filter(({ id, verdict }) => known.has(id) && verdict !== 'survived')
  console.log(`${table('file', judged, 'file')}\n\n${table('operator', judged, 'operator')}\n`)
  for (const { id } of unexplained) console.log(`survived, but not explained in survivors.md: ${id}`)
  for (const { id, verdict } of stale) {
    console.log(`explained in survivors.md, but ${titles[verdicts.indexOf(verdict) + 1]}: ${id}`)
  }
  const killed = judged.filter(({ verdict }) => verdict === 'killed').length
  const percent = share(killed, survivors.length)
  console.log(`${percent.toFixed(2)}% killed, the goal is ${goal}%; ${unexplained.length} survivors are not explained`)
  return percent >= goal && unexplained.length === 0 && stale.length === 0
}

module.exports = { report }
