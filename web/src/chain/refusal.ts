import { ContractRefusal } from './errors'
import { refusals } from './gen/refusals.gen'

const wordless = {
  sentence: 'the contract refuses this and does not say why',
  next: 'read the task again to see what is possible now',
}

/**
 * Returns the error for a contract error such as `ReviewClosed`, with the command-line tool's
 * texts.
 */
export const contractRefusal = (name: string) =>
  new ContractRefusal(name, refusals[name] ?? wordless)
