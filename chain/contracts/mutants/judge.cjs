// A worker thread that runs the tests on the mutants it receives. It has its own copy of the
// project and a compiler that is already loaded.
const { parentPort, workerData } = require('worker_threads')
const { creationCode } = require('./compiler.cjs')
const { Project } = require('./project.cjs')
const { stages } = require('./stages.cjs')

const { directory, deployed, quick } = workerData
const asked = quick ? stages.slice(0, 1) : stages
const originals = { plain: creationCode(deployed) }
const project = new Project(directory)
project.prepare()

/** The result of each stage with the unmodified contracts, whose tests must pass. */
const baselines = new Map()
function baseline(stage) {
  if (!baselines.has(stage)) {
    project.deploy(originals.plain)
    const started = Date.now()
    const { failed, passed, timedOut } = project.test(stage, 3600)
    if (failed || timedOut) throw new Error(`the unchanged contracts fail: ${failed ?? 'timeout'}`)
    if (passed === 0) throw new Error(`stage ${stage.name} has no tests`)
    baselines.set(stage, { passed, seconds: (Date.now() - started) / 1000 })
  }
  return baselines.get(stage)
}

const timeout = 'timeout'

/**
 * Returns the test suite that kills the mutant in this stage, if any. A timeout counts as a kill.
 */
function killer(codes, stage) {
  const { passed: expected, seconds } = baseline(stage)
  project.deploy({ ...originals.plain, ...codes })
  const { failed, passed, timedOut } = project.test(stage, Math.ceil(20 + 10 * seconds))
  if (timedOut) return timeout
  if (!failed && passed !== expected) throw new Error(`${passed} of ${expected} tests ran`)
  return failed
}

const isSame = (codes, original) => Object.entries(codes).every(([name, code]) => code === original[name])

/**
 * Whether the optimizer compiles the mutant to the original bytecode. Such a mutant is equivalent
 * to the original.
 */
function isSameOptimized({ file, whole, targets }) {
  originals.optimized ??= creationCode(deployed, {}, true)
  return isSame(creationCode(targets, { [file]: whole }, true), originals.optimized)
}

/** Returns the suite of a test: "test/A.t.sol:ATest.test_Name()" belongs to ATest. */
const suiteOf = (test) => test.match(/:(\w+)\./)[1]

/**
 * The suite that killed the last mutant of each function. It is likely to kill the next one too.
 */
const suspects = new Map()

function suspected(codes, place) {
  if (!suspects.has(place)) return undefined
  project.deploy({ ...originals.plain, ...codes })
  const [{ name, environment }] = stages
  const selection = ['--match-contract', `^${suspects.get(place)}$`]
  const { failed } = project.test({ selection, environment }, 60)
  return failed && { verdict: 'killed', stage: name, by: failed }
}

function judge(mutant) {
  const codes = creationCode(mutant.targets, { [mutant.file]: mutant.whole })
  if (!codes) return { verdict: 'invalid' }
  if (isSame(codes, originals.plain)) return { verdict: 'same' }
  const known = suspected(codes, mutant.place)
  if (known) return known
  for (const stage of asked) {
    const by = killer(codes, stage)
    if (by && by !== timeout && stage === stages[0]) suspects.set(mutant.place, suiteOf(by))
    if (by) return { verdict: 'killed', stage: stage.name, by }
    if (stage === asked[0] && isSameOptimized(mutant)) return { verdict: 'same' }
  }
  return { verdict: 'survived', stage: asked.at(-1).name }
}

parentPort.on('message', (mutant) => {
  const started = Date.now()
  parentPort.postMessage({ id: mutant.id, key: mutant.key, ...judge(mutant), ms: Date.now() - started })
})
