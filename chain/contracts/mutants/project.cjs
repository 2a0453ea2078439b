// A copy of the project in which the contracts under test are precompiled artifacts, so that forge
// compiles the tests only once.
const fs = require('fs')
const path = require('path')
const { spawnSync } = require('child_process')
const { root } = require('./compiler.cjs')

const forge = process.env.FORGE ?? path.resolve(root, '../../.dev/tools/node_modules/.bin/forge')
const copied = ['artifacts', 'bin', 'foundry.toml', 'gas.md', 'src', 'test']

class Project {
  constructor(directory) {
    this.directory = directory
  }

  /** Recreates the copy but keeps forge's compiled output. */
  prepare() {
    for (const name of copied) {
      fs.rmSync(this.file(name), { recursive: true, force: true })
      fs.cpSync(path.join(root, name), this.file(name), { recursive: true, preserveTimestamps: true })
    }
    if (!fs.existsSync(this.file('node_modules'))) {
      fs.symlinkSync(path.join(root, 'node_modules'), this.file('node_modules'))
    }
    const built = spawnSync(forge, ['build'], { cwd: this.directory, encoding: 'utf8' })
    if (built.status !== 0) throw new Error(`forge build: ${built.stdout}${built.stderr}`)
    this.muteCompiler()
  }

  /**
   * Replaces the compiler by a stub, because forge reads the compiler's version in every run and
   * loading it takes half of the time.
   */
  muteCompiler() {
    const answer = spawnSync(this.file('bin/solc'), ['--version'], { encoding: 'utf8' }).stdout
    fs.writeFileSync(this.file('bin/solc'), `#!/bin/sh\ncat <<'END'\n${answer}END\n`)
  }

  file(name) {
    return path.join(this.directory, name)
  }

  /** Replaces the artifacts. `codes` contains the creation code by contract name. */
  deploy(codes) {
    for (const [name, code] of Object.entries(codes)) {
      const artifact = JSON.stringify({ abi: [], bytecode: `0x${code}` })
      fs.writeFileSync(this.file(`artifacts/${name}.json`), artifact)
    }
  }

  /** Runs a stage's tests until one fails. Returns { failed, passed, timedOut }. */
  test({ selection, environment }, seconds) {
    const command = ['-k', '5', `${seconds}`, forge, 'test', '--json', '--fail-fast', ...selection]
    const run = spawnSync('timeout', command, {
      cwd: this.directory,
      encoding: 'utf8',
      env: { ...process.env, ...environment, SHIPPED: 'true' },
      maxBuffer: 1 << 28,
    })
    if (run.status === 124 || run.status === 137) return { timedOut: true }
    return { timedOut: false, ...count(run) }
  }
}

// The exit status cannot be used, because with --fail-fast forge exits with 0 after a failed test.
function count({ stdout, stderr }) {
  const start = stdout.indexOf('{')
  if (start < 0) throw new Error(`forge test: ${stdout}${stderr}`)
  const suites = Object.entries(JSON.parse(stdout.slice(start)))
  const tests = suites.flatMap(([suite, { test_results }]) =>
    Object.entries(test_results).map(([name, { status }]) => ({ name: `${suite}.${name}`, status })),
  )
  const failed = tests.find(({ status }) => status === 'Failure')?.name
  return { failed, passed: tests.filter(({ status }) => status === 'Success').length }
}

module.exports = { Project }
