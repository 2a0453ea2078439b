// node mutants/main.cjs: changes the contracts in one place at a time and reports whether a test
// fails.
//
//   --only A.sol,B.sol   mutants of these files
//   --sample N           N of them, the same ones in each run
//   --jobs N             number of threads; by default one per core
//   --quick              run only the unit tests
//   --list               only print the ids
//   --show ID            only print the change of the mutant
//
// Results are stored in .forge/mutants/results.jsonl, so that a second run resumes where the first
// one ended. FORGE is the path of forge.
const os = require('os')
const path = require('path')
const { parseArgs } = require('util')
const { Worker } = require('worker_threads')
const { creationCode, root } = require('./compiler.cjs')
const { affected, load } = require('./contracts.cjs')
const { diff, hash, mutantsOf } = require('./mutants.cjs')
const { report } = require('./report.cjs')
const { Results } = require('./results.cjs')

const goal = 95
const home = path.join(root, '.forge/mutants')

const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    sample: { type: 'string' },
    jobs: { type: 'string', default: `${os.availableParallelism()}` },
    quick: { type: 'boolean', default: false },
    list: { type: 'boolean' },
    show: { type: 'string' },
  },
})

function selected(project) {
  const only = options.only?.split(',')
  const mutants = project.files
    .filter(({ name }) => !only || only.includes(path.basename(name)))
    .flatMap((source) => mutantsOf(source, project.byId))
  if (!options.sample) return mutants
  const rank = new Map(mutants.map(({ id }) => [id, hash(id)]))
  const order = (a, b) => (rank.get(a.id) < rank.get(b.id) ? -1 : 1)
  return [...mutants].sort(order).slice(0, Number(options.sample))
}

/**
 * Adds to each mutant the contracts that it affects and a key. The key covers everything that the
 * result depends on except the tests. It uses the contracts' code and not their text, because a
 * comment does not change the result.
 */
function identified(project, mutants) {
  const originals = creationCode(project.deployed)
  return mutants.map((mutant) => {
    const targets = affected(project, mutant.file)
    return { ...mutant, targets, key: hash(mutant.id, ...targets.map(({ name }) => originals[name])) }
  })
}

/** Tests every pending mutant, using `jobs` threads. */
function judgeAll(project, pending, results) {
  const queue = [...pending]
  const work = (_, number) =>
    new Promise((resolve, reject) => {
      const directory = path.join(home, `${number}`)
      const workerData = { directory, deployed: project.deployed, quick: options.quick }
      const worker = new Worker(path.join(__dirname, 'judge.cjs'), { workerData })
      const next = () => {
        const mutant = queue.shift()
        if (mutant) worker.postMessage(mutant)
        else worker.terminate().then(resolve)
      }
      worker.on('error', reject)
      worker.on('message', (result) => {
        results.add(result)
        if (result.verdict === 'survived') console.error(`survived: ${result.id}`)
        if (queue.length % 50 === 0) console.error(`${queue.length} mutants left`)
        next()
      })
      next()
    })
  const jobs = Math.min(Number(options.jobs), queue.length)
  return Promise.all(Array.from({ length: jobs }, work))
}

async function main() {
  const project = load()
  const mutants = selected(project)
  if (options.list) return mutants.forEach(({ id }) => console.log(id))
  if (options.show) {
    const mutant = mutants.find(({ id }) => id === options.show)
    if (!mutant) throw new Error(`no mutant has the id ${options.show}; --list prints the ids`)
    return console.log(diff(project.sources.get(mutant.file), mutant))
  }
  const keyed = identified(project, mutants)
  const results = new Results(path.join(home, 'results.jsonl'), options.quick)
  await judgeAll(project, keyed.filter((mutant) => !results.of(mutant)), results)
  const judged = keyed.map((mutant) => ({ ...results.of(mutant), ...mutant }))
  if (!report(judged, goal)) process.exitCode = 1
}

main()
