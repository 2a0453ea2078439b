import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getHumanMe, verifyHuman } from './gen/sdk.gen'
import type { Human } from './human'

/**
 * The text that the human must post to prove that a social account is theirs; null if no proof is
 * needed.
 */
export const verificationCodeQuery = queryOptions({
  queryKey: ['verification-code'],
  queryFn: async ({ signal }) => (await getHumanMe({ signal })).verification_code ?? null,
})

/**
 * Links the social account that has posted the code. `onSuccess` runs even if the form has disappeared
 * by then.
 */
export function useLinkAccount(onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (postUrl: string) => verifyHuman({ body: { post_url: postUrl } }),
    onSuccess: ({ network, handle }) => {
      queries.setQueryData(
        ['session'],
        (human: Human) => human && { ...human, isVerified: true, network, handle },
      )
      onSuccess()
    },
    // The server has replaced a used or expired code.
    onSettled: () => queries.invalidateQueries(verificationCodeQuery),
  })
}
