import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { skillsQuery } from '@/api/catalog'
import { useContracts } from '@/api/contracts'
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
import { Tags } from '@/ui/tags'
import { toast } from '@/ui/toast'
import { changeOf, draftOf, faultsOf, type ProfileDraft } from './profile-draft'

/** The form for the own record. What is wrong is said at the field, by us or by the server. */
export function ProfileForm({ human, submit }: { human: Human; submit: string }) {
  const [draft, setDraft] = useState(() => draftOf(human))
  const [tried, setTried] = useState(false)
  const saving = useChangeHuman()
  const faults = tried ? faultsOf(draft) : {}
  const set = <K extends keyof ProfileDraft>(name: K, value: ProfileDraft[K]) =>
    setDraft({ ...draft, [name]: value })
  const fault = (name: keyof ProfileDraft, wire: string) =>
    faults[name] ?? (saving.error instanceof ApiError ? saving.error.faultOf(wire) : undefined)

  const save = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    const change = changeOf(draft)
    if (change) saving.mutate(change, { onSuccess: () => toast(messages.form.saved) })
  }

  return (
    <Card>
      <form onSubmit={save} noValidate className="grid gap-6 p-6 sm:p-8">
        <div className="grid gap-6 sm:grid-cols-2">
          <TextField
            label={messages.form.name}
            value={draft.name}
            maxLength={limits.maxName}
            autoComplete="name"
            error={fault('name', 'name')}
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
        <Skills
          value={draft.skills}
          error={faults.skills}
          onChange={(skills) => set('skills', skills)}
        />
        <div className="grid gap-6 sm:grid-cols-2">
          <PlaceField
            label={messages.form.place}
            write="line"
            value={draft.location}
            error={fault('location', 'location')}
            onChange={(location) => set('location', location)}
          />
          <RateField
            value={draft.rate}
            error={fault('rate', 'hourly_rate')}
            onChange={(rate) => set('rate', rate)}
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
        <Button type="submit" busy={saving.isPending} className="justify-self-start">
          {submit}
        </Button>
      </form>
    </Card>
  )
}

function RateField({
  value,
  error,
  onChange,
}: {
  value: string
  error: string | undefined
  onChange: (rate: string) => void
}) {
  const symbol = useContracts()?.token.symbol ?? ''
  return (
    <TextField
      label={messages.form.rate(symbol)}
      placeholder={messages.form.noRate}
      inputMode="decimal"
      value={value}
      error={error}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}

function Skills({
  value,
  error,
  onChange,
}: {
  value: string[]
  error: string | undefined
  onChange: (skills: string[]) => void
}) {
  const skills = useQuery(skillsQuery)
  return (
    <div className="grid gap-1.5">
      <Tags
        label={common.skills}
        hint={messages.form.skillsHint}
        value={value}
        options={skills.data ?? []}
        onChange={onChange}
      />
      {error && <p className="text-sm font-medium text-bad">{error}</p>}
    </div>
  )
}
