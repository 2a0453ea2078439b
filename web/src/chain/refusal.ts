import { ContractRefusal } from './errors'
import { refusals } from './gen/refusals.gen'

const wordless = {
  sentence: 'the contract refuses this and does not say why',
  next: 'read the task again to see what is possible now',
}

/** The contracts' error with a name such as `ReviewClosed`, in the texts of the command line. */
export const contractRefusal = (name: string) =>
  new ContractRefusal(name, refusals[name] ?? wordless)
