import { useState } from 'react'
import { loadNow } from '@/api/load'
import { recordWork } from '@/api/submission'
import type { Task } from '@/api/task'
import { useUploads } from '@/api/use-uploads'
import { aboutTask } from '@/chain/about-task'
import { useTransaction } from '@/chain/transactions'
import { FileDrop } from '@/components/file-drop'
import { StakeRisk } from '@/components/stake-risk'
import { TransactionPanel } from '@/components/transaction-panel'
import { limits } from '@/lib/facts.gen'
import { submitPurpose } from '@/lib/purposes'
import { cleanText } from '@/lib/user-text'
import { messages } from '@/messages/submit'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Columns } from '@/ui/columns'
import { TextArea, TextField } from '@/ui/field'
import { Form } from '@/ui/form'
import { type Draft, draftOf, errorsOf, storeDraft } from './draft'
import { Facts } from './facts'
import { OwnFiles, useOwnFiles } from './own-files'

/**
 * The form for the note, the link and the files, with the transaction that stores their
 * fingerprint.
 */
export function SubmitForm({ task }: { task: Task }) {
  // Another tab can change the stored draft, but this tab submits what its user sees.
  const [draft, setDraft] = useState<Draft>(() => draftOf(task.id))
  const change = (next: Partial<Draft>) => {
    const changed = { ...draft, ...next }
    setDraft(changed)
    storeDraft(task.id, changed)
  }
  const uploading = useUploads(task.id)
  const files = useOwnFiles(task.id)
  const chosen = files.filter(({ id }) => !draft.leftOut.includes(id))
  const [tried, setTried] = useState(false)
  const transaction = useTransaction(submitPurpose(task.id))
  const faults = tried ? errorsOf(draft, chosen.length) : {}
  const isUploading = uploading.uploads.some(({ fault }) => fault === undefined)

  const submitWork = () => {
    setTried(true)
    if (isUploading || Object.keys(errorsOf(draft, chosen.length)).length > 0) return
    // The fingerprint must be that of the note as the service stores it.
    const work = { note: cleanText(draft.note), proofUrl: draft.link.trim() }
    transaction.begin(async () => {
      const { id, expects } = aboutTask(task)
      const { fingerprintOf } = await loadNow(() => import('@/chain/fingerprint'))
      const proposal = await recordWork(task.id, { ...work, fileIds: chosen.map(({ id }) => id) })
      const files = chosen.map(({ sha256 }) => sha256)
      const hash = fingerprintOf(task, { ...work, files })
      return {
        does: messages.does,
        call: { contract: 'escrow', name: 'submitTask', args: [id, hash] },
        proposal,
        expects,
      }
    })
  }

  return (
    <Columns beside={<Facts task={task} />}>
      <Card>
        <Form className="grid gap-6 p-5 sm:p-8" onSubmit={submitWork}>
          <TextArea
            label={messages.note.label}
            hint={messages.note.hint}
            value={draft.note}
            maxLength={limits.maxNote}
            error={faults.note}
            onChange={(event) => change({ note: event.target.value })}
          />
          <TextField
            label={messages.link.label}
            hint={messages.link.hint}
            value={draft.link}
            maxLength={limits.maxURL}
            error={faults.link}
            inputMode="url"
            onChange={(event) => change({ link: event.target.value })}
          />
          <div className="grid gap-3">
            <FileDrop
              label={messages.files.add}
              uploads={uploading.uploads}
              onAdd={uploading.add}
              onDismiss={uploading.dismiss}
            />
            <OwnFiles
              taskId={task.id}
              files={files}
              leftOut={draft.leftOut}
              onChange={(leftOut) => change({ leftOut })}
            />
          </div>
          {tried && isUploading && (
            <Banner tone="wait" title={messages.uploading.title}>
              {messages.uploading.text}
            </Banner>
          )}
          {transaction.state.name === 'idle' && (
            <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
              <Button type="submit">{messages.submit}</Button>
              <p className="min-w-48 flex-1 text-sm text-ink-soft">
                <StakeRisk task={task} by="work" />
              </p>
            </div>
          )}
        </Form>
      </Card>
      <TransactionPanel transaction={transaction} done={messages.done} />
    </Columns>
  )
}
