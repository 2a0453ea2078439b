import { queryOptions } from '@tanstack/react-query'
import { getSkillsConfig, searchLocations } from './gen/sdk.gen'
import type { Place } from './gen/types.gen'

/** The skills that are commonly named, in alphabetical order. */
export const skillsQuery = queryOptions({
  queryKey: ['skills'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { categories } = await getSkillsConfig({ signal })
    return [...new Set(categories.flatMap((category) => category.skills))].sort()
  },
})

const toLine = ({ name, region, country }: Place) =>
  [name, region, country].filter(Boolean).join(', ')

/** Places whose names begin like this, the largest first, as people write them. */
export const placesQuery = (beginning: string) =>
  queryOptions({
    queryKey: ['places', beginning],
    enabled: /[\p{L}\p{N}]/u.test(beginning),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { locations } = await searchLocations({ query: { q: beginning, page_size: 6 }, signal })
      return [...new Set(locations.map(toLine))]
    },
  })
