import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { changeHumanMe } from './gen/sdk.gen'
import type { ChangeHumanRequest, HumanAccount } from './gen/types.gen'

/** A human as they see themselves. */
export interface Human {
  id: string
  username: string
  name: string
  bio: string
  walletAddress: string
  skills: string[]
  location: string
  remote: boolean
  /** In wei; 0 for none. */
  hourlyRate: bigint
  isAvailable: boolean
  isVerified: boolean
  /** The linked account, and the network that it is on. */
  handle?: string | undefined
  network?: string | undefined
  isValidator: boolean
}

export function toHuman(wire: HumanAccount): Human {
  return {
    id: wire.id,
    username: wire.username,
    name: wire.display_name,
    bio: wire.bio,
    walletAddress: wire.wallet_address,
    skills: wire.skills,
    location: wire.location ?? '',
    remote: wire.remote,
    hourlyRate: BigInt(wire.hourly_rate ?? '0'),
    isAvailable: wire.is_available,
    isVerified: wire.is_verified,
    handle: wire.handle,
    network: wire.network,
    isValidator: wire.is_validator,
  }
}

/** What a human may change of themselves. */
export type HumanChange = Partial<
  Pick<
    Human,
    'username' | 'name' | 'bio' | 'skills' | 'location' | 'remote' | 'hourlyRate' | 'isAvailable'
  >
>

function fromHumanChange(change: HumanChange): ChangeHumanRequest {
  const { name, hourlyRate, isAvailable, ...same } = change
  return {
    ...same,
    ...(name === undefined ? {} : { display_name: name }),
    ...(hourlyRate === undefined ? {} : { hourly_rate: hourlyRate.toString() }),
    ...(isAvailable === undefined ? {} : { is_available: isAvailable }),
  }
}

async function changeHuman(queries: QueryClient, change: HumanChange): Promise<Human> {
  const human = toHuman(await changeHumanMe({ body: fromHumanChange(change) }))
  queries.setQueryData(['session'], human)
  return human
}

/** Changes the own record; what is left out stays as it is. */
export function useChangeHuman() {
  const queries = useQueryClient()
  return useMutation({ mutationFn: (change: HumanChange) => changeHuman(queries, change) })
}
