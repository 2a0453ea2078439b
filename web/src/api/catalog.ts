import { queryOptions } from '@tanstack/react-query'
import { getSkillsConfig, searchLocations } from './gen/sdk.gen'
import type { Place as WirePlace } from './gen/types.gen'

/** The catalogue of common skills, in alphabetical order. */
export const skillsQuery = queryOptions({
  queryKey: ['skills'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => {
    const { categories } = await getSkillsConfig({ signal })
    return [...new Set(categories.flatMap((category) => category.skills))].sort()
  },
})

/** A place with its short and full name, such as "Lisbon" and "Lisbon, Lisbon, Portugal". */
export interface Place {
  name: string
  line: string
}

const toPlace = ({ name, region, country }: WirePlace): Place => ({
  name,
  line: [name, region, country].filter(Boolean).join(', '),
})

/** Places whose names start with this text, best match first. */
export const placesQuery = (beginning: string) =>
  queryOptions({
    queryKey: ['places', beginning],
    enabled: /[\p{L}\p{N}]/u.test(beginning),
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const { locations } = await searchLocations({ query: { q: beginning, page_size: 6 }, signal })
      const places = locations.map(toPlace)
      return [...new Map(places.map((place) => [place.line, place])).values()]
    },
  })
