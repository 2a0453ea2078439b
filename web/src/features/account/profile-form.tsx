import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { skillsQuery } from '@/api/catalog'
import { useSymbol } from '@/api/contracts'
import { ApiError } from '@/api/error'
import { type Human, useChangeHuman } from '@/api/human'
import { ErrorBanner } from '@/components/error-banner'
import { PlaceField } from '@/components/place-field'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/account'
import { common } from '@/messages/common'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'
import { Checkbox } from '@/ui/checkbox'
import { TextArea, TextField } from '@/ui/field'
import { Form } from '@/ui/form'
import { Tags } from '@/ui/tags'
import { changeOf, draftOf, errorsOf, type ProfileDraft } from './profile-draft'

/**
 * The form for the signed-in human's account. Errors, including the server's, are shown at their
 * fields.
 */
export function ProfileForm({ human, submit }: { human: Human; submit: string }) {
  const [draft, setDraft] = useState(() => draftOf(human))
  const [tried, setTried] = useState(false)
  const saving = useChangeHuman()
  const skills = useQuery(skillsQuery)
  const symbol = useSymbol()
  const faults = tried ? errorsOf(draft) : {}
  const set = <K extends keyof ProfileDraft>(name: K, value: ProfileDraft[K]) => {
    if (saving.isSuccess) saving.reset()
    setDraft({ ...draft, [name]: value })
  }
  const fault = (name: keyof ProfileDraft, wire: string) =>
    faults[name] ?? (saving.error instanceof ApiError ? saving.error.messageFor(wire) : undefined)

  const save = () => {
    setTried(true)
    const change = changeOf(draft)
    if (change) saving.mutate(change)
  }

  return (
    <Card>
      <Form onSubmit={save} noValidate className="grid gap-6 p-6 sm:p-8">
        <div className="grid gap-6 sm:grid-cols-2">
          <TextField
            label={messages.form.name}
            value={draft.name}
            maxLength={limits.maxName}
            autoComplete="name"
            error={fault('name', 'display_name')}
            onChange={(event) => set('name', event.target.value)}
          />
          <TextField
            label={messages.form.username}
            value={draft.username}
            maxLength={limits.maxUsername}
            autoComplete="username"
            error={fault('username', 'username')}
            onChange={(event) => set('username', event.target.value)}
          />
        </div>
        <TextArea
          label={messages.form.bio}
          hint={messages.form.bioHint}
          value={draft.bio}
          maxLength={limits.maxBio}
          error={fault('bio', 'bio')}
          onChange={(event) => set('bio', event.target.value)}
        />
        <Tags
          label={common.skills}
          hint={messages.form.skillsHint}
          value={draft.skills}
          options={skills.data ?? []}
          error={fault('skills', 'skills')}
          onChange={(chosen) => set('skills', chosen)}
        />
        <div className="grid gap-6 sm:grid-cols-2">
          <PlaceField
            label={messages.form.place}
            write="line"
            value={draft.location}
            error={fault('location', 'location')}
            onChange={(location) => set('location', location)}
          />
          <TextField
            label={messages.form.rate(<span translate="no">{symbol}</span>)}
            placeholder={messages.form.noRate}
            inputMode="decimal"
            value={draft.rate}
            error={fault('rate', 'hourly_rate')}
            onChange={(event) => set('rate', event.target.value)}
          />
        </div>
        <Checkbox checked={draft.remote} onChange={(remote) => set('remote', remote)}>
          {messages.form.remote}
        </Checkbox>
        <Checkbox
          checked={draft.isAvailable}
          onChange={(isAvailable) => set('isAvailable', isAvailable)}
          hint={messages.form.availableHint}
        >
          {messages.form.available}
        </Checkbox>
        {saving.isError && <ErrorBanner error={saving.error} />}
        <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
          <Button type="submit" busy={saving.isPending}>
            {submit}
          </Button>
          <p role="status" className="font-medium text-good">
            {saving.isSuccess && <span data-result>{messages.form.saved}</span>}
          </p>
        </div>
      </Form>
    </Card>
  )
}
