import { Flag } from 'lucide-react'
import { useState } from 'react'
import { type ReportCategory, type SubjectType, useReport } from '@/api/moderation'
import { useSession } from '@/api/session'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/moderation'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { TextArea } from '@/ui/field'
import { Form } from '@/ui/form'
import { Select } from '@/ui/select'
import { toast } from '@/ui/toast'
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

function ReportForm({ type, subject, onSent }: Props & { onSent: () => void }) {
  const [category, setCategory] = useState<ReportCategory>('fraud')
  const [comment, setComment] = useState('')
  const sending = useReport()
  const send = () => {
    const text = comment.trim()
    const report = { subject_type: type, subject, category, ...(text ? { comment: text } : {}) }
    sending.mutate(report, {
      onSuccess: () => {
        toast(words.sent)
        onSent()
      },
    })
  }
  return (
    <Form onSubmit={send} className="grid gap-5">
      <Select label={words.category} value={category} options={categories} onChange={setCategory} />
      <TextArea
        label={words.comment}
        hint={words.commentHint}
        value={comment}
        maxLength={limits.maxReportComment}
        dir="auto"
        onChange={(event) => setComment(event.target.value)}
      />
      {sending.isError && <ErrorBanner error={sending.error} />}
      <Button type="submit" busy={sending.isPending} className="justify-self-start">
        {words.send}
      </Button>
    </Form>
  )
}
