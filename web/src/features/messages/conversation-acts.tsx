import { Ban, Bell, BellOff, Check } from 'lucide-react'
import { type Conversation, type ConversationAct, useConversationAct } from '@/api/conversation'
import { ErrorBanner } from '@/components/error-banner'
import { messages } from '@/messages/messages'
import { Button } from '@/ui/button'
import { toast } from '@/ui/toast'

const words = messages.acts

interface Props {
  conversation: Conversation
  /** Called after a request was accepted, when its button disappears. */
  onAccepted: () => void
}

/** The buttons that accept a request, mute a conversation and block the other member. */
export function ConversationActs({ conversation, onAccepted }: Props) {
  const { id, folder, muted } = conversation
  const acting = useConversationAct(id)
  const act = (what: ConversationAct) =>
    acting.mutate(what, {
      onSuccess: () => {
        toast(words.done[what])
        if (what === 'accept') onAccepted()
      },
    })
  const busy = (...acts: ConversationAct[]) => acting.isPending && acts.includes(acting.variables)
  return (
    <div className="mb-4 grid gap-3">
      {folder !== 'inbox' && (
        <p className="rounded-xl bg-sunken px-4 py-3 text-[0.9375rem] text-ink-soft">
          {words.note[folder]}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        {folder === 'requests' && (
          <Button size="small" busy={busy('accept')} onClick={() => act('accept')}>
            <Check aria-hidden className="size-4" />
            {words.accept}
          </Button>
        )}
        {folder === 'inbox' && (
          <Button
            variant="quiet"
            size="small"
            busy={busy('mute', 'unmute')}
            onClick={() => act(muted ? 'unmute' : 'mute')}
          >
            {muted ? (
              <Bell aria-hidden className="size-4" />
            ) : (
              <BellOff aria-hidden className="size-4" />
            )}
            {muted ? words.unmute : words.mute}
          </Button>
        )}
        <Button
          variant={folder === 'inbox' ? 'quiet' : 'secondary'}
          size="small"
          busy={busy('block', 'unblock')}
          onClick={() => act(folder === 'blocked' ? 'unblock' : 'block')}
        >
          <Ban aria-hidden className="size-4" />
          {folder === 'blocked' ? words.unblock : words.block}
        </Button>
      </div>
      {acting.isError && <ErrorBanner error={acting.error} />}
    </div>
  )
}
