import { useQuery } from '@tanstack/react-query'
import { BadgeCheck, ExternalLink } from 'lucide-react'
import { useState } from 'react'
import type { Human } from '@/api/human'
import { useLinkAccount, verificationCodeQuery } from '@/api/verification'
import { ErrorBanner } from '@/components/error-banner'
import { appConfigQuery } from '@/config/app-config'
import { classNames } from '@/lib/class-names'
import { messages } from '@/messages/account'
import { Button, buttonClass } from '@/ui/button'
import { Card } from '@/ui/card'
import { TextField } from '@/ui/field'
import { Form } from '@/ui/form'
import { toast } from '@/ui/toast'
import { UserName } from '@/ui/user-text'

/** Links a social account through a post that contains the verification code. */
export function LinkAccount({ human }: { human: Human }) {
  return (
    <Card
      heading={human.isVerified ? messages.link.linked : messages.link.title}
      headingClass="text-xl font-semibold"
      className="p-6 sm:p-8"
    >
      {human.isVerified ? <Linked human={human} /> : <Linking />}
    </Card>
  )
}

function Linked({ human: { handle = '', network = '' } }: { human: Human }) {
  return (
    <p className="mt-2 flex items-center gap-2 text-ink-soft [overflow-wrap:anywhere]">
      <BadgeCheck aria-hidden className="size-5 shrink-0 text-accent" />
      <span>
        {messages.link.linkedText(<UserName>{handle}</UserName>, <UserName>{network}</UserName>)}
      </span>
    </p>
  )
}

function Linking() {
  const code = useQuery(verificationCodeQuery)
  const linking = useLinkAccount(() => toast(messages.link.done))
  const [address, setAddress] = useState('')
  const [fault, setFault] = useState<string>()
  const link = () => {
    const isAddress = /^https?:\/\/\S+$/.test(address.trim())
    setFault(isAddress ? undefined : messages.link.fault)
    if (isAddress) linking.mutate(address.trim())
  }
  return (
    <Form noValidate onSubmit={link} className="mt-2 grid gap-5">
      <p className="text-ink-soft">{messages.link.text}</p>
      <p
        translate="no"
        className="rounded-xl bg-sunken px-4 py-3 font-mono text-[0.9375rem] [overflow-wrap:anywhere]"
      >
        {code.data ?? '…'}
      </p>
      {code.isError && <ErrorBanner error={code.error} retry={() => void code.refetch()} />}
      {code.data && <Networks code={code.data} />}
      <TextField
        label={messages.link.address}
        hint={messages.link.addressHint}
        value={address}
        error={fault}
        maxLength={2048}
        inputMode="url"
        onChange={(event) => setAddress(event.target.value)}
      />
      {linking.isError && <ErrorBanner error={linking.error} />}
      <Button type="submit" busy={linking.isPending} className="justify-self-start">
        {messages.link.link}
      </Button>
    </Form>
  )
}

/** Links to each network's form for a new post, with the text filled in. */
function Networks({ code }: { code: string }) {
  const { data } = useQuery(appConfigQuery)
  return (
    <div className="flex flex-wrap gap-3 empty:hidden">
      {data?.networks?.map(({ name, composeUrl }) => (
        <a
          key={name}
          href={composeUrl + encodeURIComponent(code)}
          target="_blank"
          rel="noopener noreferrer"
          className={classNames(buttonClass('secondary', 'small'), 'max-w-full')}
        >
          <span className="truncate">
            {messages.link.postOn(<span translate="no">{name}</span>)}
          </span>
          <ExternalLink aria-hidden className="size-4 shrink-0" />
        </a>
      ))}
    </div>
  )
}
