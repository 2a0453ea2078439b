import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useAnswerDispute } from '@/api/dispute'
import { taskFilesQuery } from '@/api/file'
import type { Task } from '@/api/task'
import { useUploads } from '@/api/use-uploads'
import { ErrorBanner } from '@/components/error-banner'
import { FileDrop } from '@/components/file-drop'
import { FileList } from '@/components/submission-card'
import { useDraft } from '@/lib/drafts'
import { limits } from '@/lib/facts.gen'
import { common } from '@/messages/common'
import { messages } from '@/messages/task'
import { Button } from '@/ui/button'
import { Countdown } from '@/ui/countdown'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'

/** The form for the human's answer to the agent's dispute, with files as evidence. */
export function AnswerForm({ task, until }: { task: Task; until: Date }) {
  const [text, setText] = useDraft(`answer:${task.id}`)
  const [fault, setFault] = useState<string>()
  const response = useAnswerDispute(task.id)
  const { uploads, add, dismiss } = useUploads(task.id)
  const evidence = useQuery(taskFilesQuery(task.id)).data?.filter(
    ({ uploadedBy, submitted, shared }) => uploadedBy === 'human' && shared && !submitted,
  )
  const send = () => {
    if (!text.trim()) return setFault(messages.answer.missing)
    setFault(undefined)
    response.mutate(text, { onSuccess: () => setText('') })
  }
  return (
    <Form className="grid gap-4" onSubmit={send}>
      <TextArea
        label={messages.answer.label}
        hint={messages.answer.hint}
        value={text}
        maxLength={limits.maxReason}
        error={fault}
        onChange={(event) => setText(event.target.value)}
      />
      <FileDrop
        label={messages.answer.evidence}
        uploads={uploads}
        onAdd={add}
        onDismiss={dismiss}
      />
      <FileList taskId={task.id} files={evidence ?? []} />
      {response.error && <ErrorBanner error={response.error} />}
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" busy={response.isPending}>
          {messages.answer.send}
        </Button>
        <span className="inline-flex items-center gap-1.5 text-[0.9375rem] text-ink-soft">
          <Countdown at={until} over={common.noTime} /> {common.left}
        </span>
      </div>
    </Form>
  )
}
