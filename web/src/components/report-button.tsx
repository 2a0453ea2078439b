import { Flag } from 'lucide-react'
import { useState } from 'react'
import { type ReportCategory, type SubjectType, useReport } from '@/api/moderation'
import { useSession } from '@/api/session'
import { limits } from '@/lib/facts.gen'
import { common } from '@/messages/common'
import { messages } from '@/messages/moderation'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { Select } from '@/ui/select'
import { toast } from '@/ui/toast'
import { UserText } from '@/ui/user-text'
import { ErrorBanner } from './error-banner'

interface Props {
  type: SubjectType
  /** The id of the record, or the username of a profile. */
  subject: string
  /** Shows the icon only, for a record in a list. */
  compact?: boolean
}

const words = messages.report
const categories = Object.entries(words.categories).map(([value, word]) => ({
  value: value as ReportCategory,
  word,
}))

/** A button with a dialog that reports a record to the moderators. Only for signed-in humans. */
export function ReportButton({ type, subject, compact = false }: Props) {
  const [open, setOpen] = useState(false)
  if (!useSession()) return null
  const close = () => setOpen(false)
  return (
    <>
      <Button
        variant="quiet"
        size="small"
        aria-label={compact ? words.title[type] : undefined}
        onClick={() => setOpen(true)}
      >
        <Flag aria-hidden className="size-4" />
        {!compact && words.button}
      </Button>
      <Dialog open={open} onClose={close} title={words.title[type]} description={words.intro}>
        <ReportForm type={type} subject={subject} onSent={close} />
      </Dialog>
    </>
  )
}

/** Moves the focus to the question, because the button that had it is gone. */
const focus = (question: HTMLElement | null) => question?.focus()

function ReportForm({ type, subject, onSent }: Props & { onSent: () => void }) {
  const [category, setCategory] = useState<ReportCategory>()
  const [comment, setComment] = useState('')
  const [fault, setFault] = useState<string>()
  const [confirming, setConfirming] = useState(false)
  const sending = useReport()
  const text = comment.trim()
  const review = () => {
    setFault(category ? undefined : words.noCategory)
    setConfirming(category !== undefined)
  }
  const send = () => {
    if (!category) return
    const report = { subject_type: type, subject, category, ...(text ? { comment: text } : {}) }
    sending.mutate(report, {
      onSuccess: () => {
        toast(words.sent)
        onSent()
      },
    })
  }
  if (confirming && category) {
    return (
      <Form onSubmit={send} className="grid gap-5">
        <p ref={focus} tabIndex={-1} className="font-medium outline-none">
          {words.confirm(words.categories[category])}
        </p>
        {text && <UserText className="border-l-2 border-line pl-3.5">{text}</UserText>}
        <p className="text-[0.9375rem] text-ink-soft">{words.consequence}</p>
        {sending.isError && <ErrorBanner error={sending.error} />}
        <div className="flex flex-wrap gap-3">
          <Button type="submit" busy={sending.isPending}>
            {words.send}
          </Button>
          <Button variant="quiet" onClick={() => setConfirming(false)}>
            {common.back}
          </Button>
        </div>
      </Form>
    )
  }
  return (
    <Form onSubmit={review} className="grid gap-5">
      <Select
        label={words.category}
        placeholder={words.choose}
        value={category}
        error={fault}
        options={categories}
        onChange={setCategory}
      />
      <TextArea
        label={words.comment}
        hint={words.commentHint}
        value={comment}
        maxLength={limits.maxReportComment}
        dir="auto"
        onChange={(event) => setComment(event.target.value)}
      />
      <Button type="submit" className="justify-self-start">
        {words.next}
      </Button>
    </Form>
  )
}
