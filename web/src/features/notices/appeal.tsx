import { useState } from 'react'
import { type Notice, useAppeal } from '@/api/moderation'
import { ErrorBanner } from '@/components/error-banner'
import { limits } from '@/lib/facts.gen'
import { wordOf } from '@/lib/known'
import { useNow } from '@/lib/now'
import { messages } from '@/messages/moderation'
import { Button } from '@/ui/button'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'
import { UserText } from '@/ui/user-text'

const words = messages.appeal

/** The human's appeal against a measure, or the form for it while it is possible. */
export function Appeal({ notice }: { notice: Notice }) {
  const now = useNow()
  const { appeal } = notice
  if (appeal) {
    return (
      <section aria-label={words.yours} className="mt-5 border-t border-line pt-5">
        <h3 className="font-semibold">{words.yours}</h3>
        <p className="mb-3 text-ink-soft">{wordOf(words.status, appeal.status)}</p>
        <UserText>{appeal.statement}</UserText>
        {appeal.reasons && <UserText className="mt-3">{appeal.reasons}</UserText>}
      </section>
    )
  }
  if (notice.endedAt || now >= notice.appealUntil) return null
  return <AppealForm id={notice.id} />
}

function AppealForm({ id }: { id: string }) {
  const [statement, setStatement] = useState('')
  const sending = useAppeal(id, () => toast(words.sent))
  const text = statement.trim()
  const send = () => {
    if (text) sending.mutate(text)
  }
  return (
    <Form onSubmit={send} className="mt-5 grid gap-4 border-t border-line pt-5">
      <h3 className="font-semibold">{words.open}</h3>
      <TextArea
        label={words.statement}
        hint={words.hint}
        value={statement}
        maxLength={limits.maxAppeal}
        dir="auto"
        onChange={(event) => setStatement(event.target.value)}
      />
      {sending.isError && <ErrorBanner error={sending.error} />}
      <Button
        type="submit"
        busy={sending.isPending}
        disabled={!text}
        className="justify-self-start"
      >
        {words.send}
      </Button>
    </Form>
  )
}
