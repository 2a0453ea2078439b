// What is known of mutants from earlier calls: one line of JSON each, appended as they are judged.
const fs = require('fs')
const path = require('path')
const { fingerprint, stages } = require('./stages.cjs')

class Results {
  /** For `quick`, what survives the first stage counts as surviving. */
  constructor(file, quick) {
    this.file = file
    this.surviving = quick ? stages.map(({ name }) => name) : [stages.at(-1).name]
    this.tests = Object.fromEntries(stages.map((stage) => [stage.name, fingerprint(stage)]))
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
    this.byKey = new Map(lines.filter(Boolean).map((line) => [JSON.parse(line).key, JSON.parse(line)]))
  }

  /** The verdict on a mutant; a killed or surviving one counts for the tests that judged it. */
  of({ key }) {
    const known = this.byKey.get(key)
    if (known?.verdict === 'survived' && !this.surviving.includes(known.stage)) return undefined
    return known && known.tests === this.tests[known.stage] ? known : undefined
  }

  add(result) {
    const line = { ...result, tests: this.tests[result.stage] }
    this.byKey.set(result.key, line)
    fs.appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }
}

module.exports = { Results }
