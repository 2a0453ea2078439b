import { useQuery } from '@tanstack/react-query'
import { useChangeHuman } from '@/api/human'
import { instanceQuery } from '@/api/moderation'
import { useSession } from '@/api/session'
import { ErrorBanner } from '@/components/error-banner'
import { messages } from '@/messages/moderation'
import { Button } from '@/ui/button'
import { Card } from '@/ui/card'

/** Whether the operator requires a declaration of age that the signed-in human has not made. */
export function useNeedsAge(): boolean {
  const human = useSession()
  const minimum = useQuery(instanceQuery).data?.minimum_age ?? 0
  return minimum > 0 && human?.adultAt === undefined
}

/** The declaration of age that some instances require before an application. */
export function AgeCard() {
  const changing = useChangeHuman()
  return (
    <Card heading={messages.age.title} headingClass="text-lg font-semibold" className="p-6">
      <p className="mb-4 text-ink-soft">{messages.age.text}</p>
      {changing.isError && <ErrorBanner error={changing.error} />}
      <Button busy={changing.isPending} onClick={() => changing.mutate({ isAdult: true })}>
        {messages.age.declare}
      </Button>
    </Card>
  )
}
