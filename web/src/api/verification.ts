import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { getHumanMe, verifyHuman } from './gen/sdk.gen'
import type { Human } from './human'

/** What the signed-in human posts to show that an account is theirs; absent when there is no need. */
export const verificationCodeQuery = queryOptions({
  queryKey: ['verification-code'],
  queryFn: async ({ signal }) => (await getHumanMe({ signal })).verification_code ?? null,
})

/** Links the account that has written a post with the code. */
export function useLinkAccount() {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (postUrl: string) => verifyHuman({ body: { post_url: postUrl } }),
    onSuccess: ({ network, handle }) =>
      queries.setQueryData(
        ['session'],
        (human: Human) => human && { ...human, isVerified: true, network, handle },
      ),
    // A code that was used or is too old is followed by a new one.
    onSettled: () => queries.invalidateQueries(verificationCodeQuery),
  })
}
