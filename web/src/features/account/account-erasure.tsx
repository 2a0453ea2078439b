import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { ApiError } from '@/api/error'
import type { Human } from '@/api/human'
import { useEraseAccount } from '@/chain/erase-account'
import { walletFault } from '@/chain/errors'
import { durations } from '@/lib/facts.gen'
import { messages } from '@/messages/account'
import { Banner } from '@/ui/banner'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Dialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'
import { UserName } from '@/ui/user-text'

const words = messages.erasure
const days = durations.contractRetention / 86_400

/** The button that deletes the account, with a dialog in which the human confirms it. */
export function AccountErasure({ human }: { human: Human }) {
  const [open, setOpen] = useState(false)
  return (
    <Card heading={words.title} headingClass="text-xl font-semibold" className="p-6 sm:p-8">
      <p className="mt-2 text-ink-soft">{words.text(days)}</p>
      <Button variant="secondary" onClick={() => setOpen(true)} className="mt-5">
        {words.open}
      </Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title={words.question}
        description={words.final}
      >
        <Confirmation human={human} />
      </Dialog>
    </Card>
  )
}

function Confirmation({ human }: { human: Human }) {
  const [typed, setTyped] = useState('')
  const navigate = useNavigate()
  const erasing = useEraseAccount(() => {
    toast(words.done)
    void navigate({ to: '/' })
  })
  const matches = typed.trim().toLowerCase() === human.username.toLowerCase()
  return (
    <Form onSubmit={() => matches && erasing.mutate(human)} className="grid gap-5">
      <TextField
        label={words.confirm(<UserName>{human.username}</UserName>)}
        value={typed}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        onChange={(event) => setTyped(event.target.value)}
      />
      {erasing.isError && <Failure error={erasing.error} />}
      <Button
        type="submit"
        busy={erasing.isPending}
        disabled={!matches}
        className="justify-self-start"
      >
        {words.sign}
      </Button>
    </Form>
  )
}

/** Explains a failure, and lists what must end before the account can be deleted. */
function Failure({ error }: { error: Error }) {
  const { title, hint } = walletFault(error)
  const details = error instanceof ApiError && error.status === 400 ? error.details : []
  return (
    <Banner tone="bad" title={title}>
      {hint}
      {details.length > 1 && (
        <ul className="mt-2 list-disc pl-5 [overflow-wrap:anywhere]">
          {details.map(({ message }) => (
            <li key={message}>{message}</li>
          ))}
        </ul>
      )}
    </Banner>
  )
}
