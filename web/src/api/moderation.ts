import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { appealNotice, createReport, getInstanceConfig, listNotices } from './gen/sdk.gen'
import type { ReportRequest, Notice as WireNotice } from './gen/types.gen'
import { listQuery, toPage } from './list'
import { converter } from './wire'

const toNotice = converter<WireNotice>()(['decided_at', 'ended_at', 'appeal_until'])

/** A measure of the moderators against the signed-in human, with its reasons. */
export type Notice = ReturnType<typeof toNotice>

/** The kinds of records that can be reported. */
export type SubjectType = ReportRequest['subject_type']

/** The reasons for a report. */
export type ReportCategory = ReportRequest['category']

const noticesKey = ['notices']

/** The measures against the signed-in human, newest first, in pages. */
export const noticesQuery = listQuery(noticesKey, 20, async (query, signal) => {
  const page = await listNotices({ query, signal })
  return toPage(page, page.notices.map(toNotice))
})

/** Reports a record of another user to the moderators. */
export function useReport() {
  return useMutation({ mutationFn: (body: ReportRequest) => createReport({ body }) })
}

/**
 * Appeals against a measure, which is possible once. `onSuccess` runs even if the form has disappeared
 * by then.
 */
export function useAppeal(noticeId: string, onSuccess: () => void) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: (statement: string) => appealNotice({ path: { noticeId }, body: { statement } }),
    onSuccess: () => {
      onSuccess()
      return queries.invalidateQueries({ queryKey: noticesKey })
    },
  })
}

/** The operator's rules and links. */
export const instanceQuery = queryOptions({
  queryKey: ['instance'],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: ({ signal }) => getInstanceConfig({ signal }),
})
