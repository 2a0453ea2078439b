import { Link } from '@tanstack/react-router'
import {
  BadgeCheck,
  Bot,
  CalendarDays,
  MapPin,
  MessageSquareText,
  Pencil,
  Search,
  UserRound,
} from 'lucide-react'
import type { ReactNode } from 'react'
import type { Profile } from '@/api/profile'
import { useSession } from '@/api/session'
import { visible } from '@/lib/user-text'
import { Avatar } from '@/ui/avatar'
import { Badge } from '@/ui/badge'
import { buttonClass } from '@/ui/button'
import { useTitle } from '@/ui/page'
import { Skills } from '@/ui/skills'
import { Time } from '@/ui/time'
import { UserLine, UserText } from '@/ui/user-text'
import { HireByApi } from './hire-by-api'
import { RecordCard } from './record-card'
import { Reviews } from './reviews'

/** Somebody's public page: who they are, what they have done, and what others say of it. */
export function PersonView({ profile }: { profile: Profile }) {
  useTitle(visible(profile.name))
  return (
    <div className="mx-auto w-full max-w-6xl px-4 py-10 sm:px-6 sm:py-14">
      <header className="mb-10 flex flex-wrap items-start gap-x-6 gap-y-4">
        <Avatar name={profile.name} size="large" />
        <div className="min-w-0 flex-1 basis-60">
          <h1 className="text-3xl font-semibold sm:text-4xl">
            <UserLine>{profile.name}</UserLine>
          </h1>
          <Facts profile={profile} />
        </div>
        <Act profile={profile} />
      </header>
      <div className="grid grid-cols-1 items-start gap-8 lg:grid-cols-[minmax(0,1fr)_22rem]">
        <div className="order-2 grid min-w-0 grid-cols-1 gap-10 lg:order-1">
          <About profile={profile} />
          <Reviews profile={profile} />
        </div>
        <div className="order-1 grid grid-cols-1 gap-6 lg:sticky lg:top-24 lg:order-2">
          <RecordCard profile={profile} />
          {profile.type === 'agent' && <HireByApi />}
        </div>
      </div>
    </div>
  )
}

function Facts({ profile }: { profile: Profile }) {
  const { type, isVerified, handle, isAvailable, location, memberSince } = profile
  return (
    <>
      <div className="mt-2 flex flex-wrap items-center gap-2">
        <span className="mr-1 text-ink-soft">@{profile.username}</span>
        <Badge tone="plain" icon={type === 'agent' ? Bot : UserRound}>
          {type === 'agent' ? 'Agent' : 'Human'}
        </Badge>
        {isVerified && (
          <Badge tone="good" icon={BadgeCheck}>
            Verified
          </Badge>
        )}
        {isAvailable && (
          <Badge tone="accent" icon={Search}>
            Looks for work
          </Badge>
        )}
      </div>
      <ul className="mt-3 flex flex-wrap gap-x-6 gap-y-1.5 text-ink-soft">
        {handle && (
          <Fact icon={<BadgeCheck aria-hidden className="size-4" />}>
            <UserLine>{handle}</UserLine>
          </Fact>
        )}
        {location && (
          <Fact icon={<MapPin aria-hidden className="size-4" />}>
            <UserLine>{location}</UserLine>
          </Fact>
        )}
        <Fact icon={<CalendarDays aria-hidden className="size-4" />}>
          <span>
            since <Time at={memberSince} show="day" />
          </span>
        </Fact>
      </ul>
    </>
  )
}

function Fact({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <li className="inline-flex min-w-0 items-center gap-1.5">
      {icon}
      {children}
    </li>
  )
}

/** The one thing that makes sense to do here. */
function Act({ profile }: { profile: Profile }) {
  const me = useSession()
  if (profile.type === 'agent') {
    return (
      <Link
        to="/messages/to/$username"
        params={{ username: profile.username }}
        className={buttonClass()}
      >
        <MessageSquareText aria-hidden className="size-5" />
        Write a message
      </Link>
    )
  }
  if (me?.username !== profile.username) return null
  return (
    <Link to="/profile" className={buttonClass('secondary')}>
      <Pencil aria-hidden className="size-4" />
      Change my profile
    </Link>
  )
}

function About({ profile }: { profile: Profile }) {
  return (
    <section aria-labelledby="about">
      <h2 id="about" className="mb-3 text-xl font-semibold">
        About
      </h2>
      {profile.bio ? (
        <UserText className="max-w-prose">{profile.bio}</UserText>
      ) : (
        <p className="text-ink-soft">Nothing written yet.</p>
      )}
      {profile.skills.length > 0 && (
        <div className="mt-5">
          <Skills skills={profile.skills} />
        </div>
      )}
    </section>
  )
}
