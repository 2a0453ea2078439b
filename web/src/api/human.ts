import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeHumanMe } from './gen/sdk.gen'
import type { ChangeHumanRequest, HumanAccount } from './gen/types.gen'
import { converter } from './wire'

const convert = converter<HumanAccount>()(['adult_at'], ['hourly_rate'])

export const toHuman = (wire: HumanAccount) => {
  const { displayName: name, location = '', hourlyRate = 0n, ...same } = convert(wire)
  return { ...same, name, location, hourlyRate }
}

/**
 * The signed-in human's account. `hourlyRate` is in wei, or 0 if it is not set; `handle` is the
 * linked social account.
 */
export type Human = ReturnType<typeof toHuman>

/** The fields that a human can change. */
export type HumanChange = Partial<
  Pick<
    Human,
    'username' | 'name' | 'bio' | 'skills' | 'location' | 'remote' | 'hourlyRate' | 'isAvailable'
  >
> & {
  /** Declares that the human is 18 or older. */
  isAdult?: true
}

function fromHumanChange(change: HumanChange): ChangeHumanRequest {
  const { name, hourlyRate, isAvailable, isAdult, ...same } = change
  return {
    ...same,
    ...(name === undefined ? {} : { display_name: name }),
    ...(hourlyRate === undefined ? {} : { hourly_rate: hourlyRate.toString() }),
    ...(isAvailable === undefined ? {} : { is_available: isAvailable }),
    ...(isAdult ? { is_adult: isAdult } : {}),
  }
}

async function changeHuman(queries: QueryClient, change: HumanChange): Promise<Human> {
  const human = toHuman(await changeHumanMe({ body: fromHumanChange(change) }))
  queries.setQueryData(['session'], human)
  return human
}

/** Changes the signed-in human's account. Absent fields remain unchanged. */
export function useChangeHuman() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: (change: HumanChange) => changeHuman(queries, change) })
}
