import { ContractRefusal } from './errors'
import { refusals } from './gen/refusals.gen'

const wordless = {
  sentence: 'the contract rejected this without giving a reason',
  next: 'reload the page to see what you can do now',
}

/**
 * Converts a contract error such as `ReviewClosed` to an error with the command-line tool's texts.
 */
export const contractRefusal = (name: string) =>
  new ContractRefusal(name, refusals[name] ?? wordless)
