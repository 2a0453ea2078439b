import { ContractRefusal } from './errors'
import { refusals } from './gen/refusals.gen'

const wordless = {
  sentence: 'the contract refuses this and does not say why',
  next: 'read the task again to see what is possible now',
}

/**
 * Converts a contract error such as `ReviewClosed` to an error with the command-line tool's texts.
 */
export const contractRefusal = (name: string) =>
  new ContractRefusal(name, refusals[name] ?? wordless)
