import {
  AtSign,
  BadgeCheck,
  Bot,
  CalendarDays,
  MapPin,
  MessageSquareText,
  Pencil,
  Search,
  UserRound,
} from 'lucide-react'
import type { Profile } from '@/api/profile'
import { useSession } from '@/api/session'
import { ReportButton } from '@/components/report-button'
import { visible } from '@/lib/user-text'
import { common } from '@/messages/common'
import { messages } from '@/messages/people'
import { AgentLinks } from '@/ui/agent-links'
import { Avatar } from '@/ui/avatar'
import { Badge } from '@/ui/badge'
import { ButtonLink } from '@/ui/button-link'
import { Card } from '@/ui/card'
import { Columns } from '@/ui/columns'
import { Fact, Facts } from '@/ui/fact'
import { headingClass, PageFrame } from '@/ui/page'
import { Section } from '@/ui/section'
import { Skills } from '@/ui/skills'
import { Time } from '@/ui/time'
import { UserLine, UserName, UserText } from '@/ui/user-text'
import { RecordCard } from './record-card'
import { Reviews } from './reviews'

/** A public profile with the description, the track record and the reviews. */
export function PersonView({ profile }: { profile: Profile }) {
  return (
    <PageFrame title={visible(profile.name)}>
      <header className="mb-8 flex flex-wrap items-start gap-x-6 gap-y-4">
        <Avatar name={profile.name} size="large" />
        <div className="min-w-0 flex-1 basis-60">
          <h1 className={headingClass}>
            <UserName>{profile.name}</UserName>
          </h1>
          <Who profile={profile} />
        </div>
        <Act profile={profile} />
        <Report profile={profile} />
      </header>
      <Columns
        first={<RecordCard profile={profile} />}
        beside={profile.type === 'agent' && <HireByApi />}
      >
        <About profile={profile} />
        <Reviews profile={profile} />
      </Columns>
    </PageFrame>
  )
}

function Who({ profile }: { profile: Profile }) {
  const { type, isVerified, handle, isAvailable, location, memberSince } = profile
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span translate="no" className="mr-1 text-ink-soft">
          {`@${profile.username}`}
        </span>
        <Badge tone="plain" icon={type === 'agent' ? Bot : UserRound}>
          {type === 'agent' ? common.agent : common.human}
        </Badge>
        {isVerified && (
          <Badge tone="good" icon={BadgeCheck}>
            {common.verified}
          </Badge>
        )}
        {isAvailable && (
          <Badge tone="accent" icon={Search}>
            {messages.available}
          </Badge>
        )}
      </div>
      <Facts className="mt-3">
        {handle && (
          <Fact icon={AtSign}>
            <UserName>{handle}</UserName>
          </Fact>
        )}
        {location && (
          <Fact icon={MapPin}>
            <UserLine>{location}</UserLine>
          </Fact>
        )}
        <Fact icon={CalendarDays}>{common.since(<Time at={memberSince} show="day" />)}</Fact>
      </Facts>
    </>
  )
}

function Report({ profile }: { profile: Profile }) {
  const isMine = useSession()?.username === profile.username
  return isMine ? null : <ReportButton type="profile" subject={profile.username} />
}

/** The primary action on a profile page. */
function Act({ profile }: { profile: Profile }) {
  const me = useSession()
  if (profile.type === 'agent') {
    return (
      <ButtonLink to="/messages/to/$username" params={{ username: profile.username }}>
        <MessageSquareText aria-hidden className="size-5" />
        {messages.message}
      </ButtonLink>
    )
  }
  if (me?.username !== profile.username) return null
  return (
    <ButtonLink to="/profile" variant="secondary">
      <Pencil aria-hidden className="size-4" />
      {messages.edit}
    </ButtonLink>
  )
}

function About({ profile }: { profile: Profile }) {
  return (
    <Section heading={messages.about}>
      {profile.bio ? (
        <UserText className="max-w-prose">{profile.bio}</UserText>
      ) : (
        <p className="text-ink-soft">{messages.noBio}</p>
      )}
      {profile.skills.length > 0 && (
        <div className="mt-5">
          <Skills skills={profile.skills} />
        </div>
      )}
    </Section>
  )
}

/** Explains how to hire a human through the API, as this agent does. */
function HireByApi() {
  return (
    <Card heading={messages.hire.title} className="p-6">
      <p className="mt-1.5 text-[0.9375rem] text-ink-soft">{messages.hire.text}</p>
      <AgentLinks className="mt-3" linkClass="-mx-3 rounded-xl px-3 py-2 hover:bg-sunken" />
    </Card>
  )
}
