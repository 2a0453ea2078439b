// Stores the results of earlier runs as lines of JSON, appended as mutants are tested.
const fs = require('fs')
const path = require('path')
const { fingerprint, stages, testFiles } = require('./stages.cjs')

class Results {
  /** With `quick`, a mutant that survives the first stage counts as surviving. */
  constructor(file, quick) {
    this.file = file
    this.surviving = quick ? stages.map(({ name }) => name) : [stages.at(-1).name]
    this.fingerprints = new Map()
    fs.mkdirSync(path.dirname(file), { recursive: true })
    const lines = fs.existsSync(file) ? fs.readFileSync(file, 'utf8').split('\n') : []
    this.byKey = new Map(lines.filter(Boolean).map((line) => [JSON.parse(line).key, JSON.parse(line)]))
  }

  /** Returns the stored result for a mutant, if the tests that it depends on are unchanged. */
  of({ key }) {
    const known = this.byKey.get(key)
    if (known?.verdict === 'survived' && !this.surviving.includes(known.stage)) return undefined
    return known && known.tests === this.tests(known) ? known : undefined
  }

  add(result) {
    const line = { ...result, tests: this.tests(result) }
    this.byKey.set(result.key, line)
    fs.appendFileSync(this.file, `${JSON.stringify(line)}\n`)
  }

  /**
   * Returns a hash of the tests that a result depends on: for a kill the test that killed the
   * mutant, for a survival all tests in the stage.
   */
  tests({ verdict, stage, by }) {
    if (!stage) return undefined
    const one = verdict === 'killed' && by.includes(':')
    const known = one ? by.split(':')[0] : stage
    if (!this.fingerprints.has(known)) {
      const files = one ? [known] : testFiles(stages.find(({ name }) => name === stage))
      this.fingerprints.set(known, fingerprint(files))
    }
    return this.fingerprints.get(known)
  }
}

module.exports = { Results }
