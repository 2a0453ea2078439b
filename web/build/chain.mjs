// Writes the contract data for the app: the used part of each ABI, all errors, and the texts of the
// errors, which the command line reads from the same file.
import { readFileSync, writeFileSync } from 'node:fs'

const root = new URL('../../', import.meta.url)

/** The functions that the app calls, by contract. */
const called = {
  token: {
    artifact: 'TaskToken',
    functions: ['allowance', 'approve', 'balanceOf', 'eip712Domain', 'nonces'],
  },
  staking: {
    artifact: 'ApplicationStaking',
    functions: [
      'getStake',
      'lockApplicationStake',
      'lockApplicationStakeWithPermit',
      'requiredStake',
      'withdrawCredit',
      'withdrawStake',
      'withdrawable',
    ],
  },
  escrow: {
    artifact: 'Escrow',
    functions: [
      'approveSubmission',
      'cancelTask',
      'disputeTask',
      'due',
      'emergencyRelease',
      'getTask',
      'rejectSubmission',
      'settle',
      'submitTask',
      'withdrawCredit',
      'withdrawable',
      'workHash',
    ],
  },
}

/**
 * @typedef {{ name?: string, type: string, components?: Parameter[] }} Parameter
 * @typedef {{ type: string, name: string, inputs: Parameter[], outputs?: Parameter[], stateMutability?: string }} Item
 */

/** @param {Parameter} parameter @returns {Parameter} */
const toParameter = ({ name = '', type, components }) => ({
  name,
  type,
  ...(components ? { components: components.map(toParameter) } : {}),
})

/** @param {Item} item */
const toItem = ({ type, name, inputs, outputs, stateMutability }) => ({
  type,
  name,
  inputs: inputs.map(toParameter),
  ...(type === 'function' ? { outputs: (outputs ?? []).map(toParameter), stateMutability } : {}),
})

/** @param {string} artifact @returns {Item[]} */
function abiOf(artifact) {
  const path = new URL(`chain/contracts/artifacts/${artifact}.json`, root)
  return JSON.parse(readFileSync(path, 'utf8')).abi
}

/** @param {string} name @param {string} source @param {string} content */
function write(name, source, content) {
  const header = `// Written by build/chain.mjs from ${source}. Do not edit.\n`
  writeFileSync(new URL(`../src/chain/gen/${name}.gen.ts`, import.meta.url), header + content)
}

/** @param {unknown} value */
const constant = (value) => `${JSON.stringify(value, null, 2)} as const`

/** @type {Map<string, Item>} */
const errors = new Map()
let abis = ''
for (const [contract, { artifact, functions }] of Object.entries(called)) {
  const abi = abiOf(artifact)
  for (const item of abi) {
    if (item.type === 'error')
      errors.set(`${item.name}(${item.inputs.map(({ type }) => type)})`, item)
  }
  const kept = functions.map((name) => {
    const found = abi.filter((item) => item.type === 'function' && item.name === name)
    if (found.length !== 1)
      throw new Error(`${artifact} has ${found.length} functions named ${name}, not 1`)
    return toItem(found[0])
  })
  abis += `\nexport const ${contract}Abi = ${constant(kept)}\n`
}
const sorted = [...errors.keys()].sort().map((key) => toItem(/** @type {Item} */ (errors.get(key))))
abis += `\n/** Every error that a call of the app can end with. */\nexport const errorsAbi = ${constant(sorted)}\n`
write('abi', 'chain/contracts/artifacts', abis)

const words = JSON.parse(readFileSync(new URL('market/refusals.json', root), 'utf8'))
const names = new Set([...errors.values()].map(({ name }) => name))
for (const name of names) {
  if (!(name in words)) throw new Error(`market/refusals.json has no words for ${name}`)
}
const refusals = Object.fromEntries(Object.entries(words).filter(([name]) => names.has(name)))
write(
  'refusals',
  'market/refusals.json',
  `\n/** The message and the advice for each contract error, by its name. */
export const refusals: Record<string, { sentence: string; next: string }> = ${JSON.stringify(refusals, null, 2)}\n`,
)
