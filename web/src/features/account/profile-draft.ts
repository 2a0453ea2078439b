import type { Human, HumanChange } from '@/api/human'
import { exactAmount, parseAmount } from '@/lib/amount'
import { limits } from '@/lib/facts.gen'
import { messages } from '@/messages/account'
import { common } from '@/messages/common'

/** The values of the form's fields as typed. */
export interface ProfileDraft {
  name: string
  username: string
  bio: string
  skills: string[]
  location: string
  rate: string
  remote: boolean
  isAvailable: boolean
}

const usernamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9-]{0,28}[A-Za-z0-9])?$/

/** Returns the form's initial values. An automatically generated name is left empty. */
export function draftOf(human: Human): ProfileDraft {
  const fresh = human.name === human.username
  return {
    name: fresh ? '' : human.name,
    username: human.username,
    bio: human.bio,
    skills: human.skills,
    location: human.location,
    rate: human.hourlyRate === 0n ? '' : exactAmount(human.hourlyRate),
    remote: human.remote,
    isAvailable: fresh || human.isAvailable,
  }
}

/** Returns the error messages of the invalid fields. */
export function errorsOf(draft: ProfileDraft): Partial<Record<keyof ProfileDraft, string>> {
  const faults: Partial<Record<keyof ProfileDraft, string>> = {}
  if (!draft.name.trim()) faults.name = messages.fault.name
  if (!usernamePattern.test(draft.username)) faults.username = messages.fault.username
  if (draft.skills.length === 0) faults.skills = messages.fault.noSkill
  if (draft.skills.length > limits.maxSkills) faults.skills = messages.fault.manySkills
  if (draft.rate.trim() && parseAmount(draft.rate) === undefined) faults.rate = common.amountFormat
  return faults
}

/** Returns the change to send to the server; undefined if a field is invalid. */
export function changeOf(draft: ProfileDraft): HumanChange | undefined {
  if (Object.keys(errorsOf(draft)).length > 0) return undefined
  const { rate, ...same } = draft
  return {
    ...same,
    name: draft.name.trim(),
    location: draft.location.trim(),
    hourlyRate: parseAmount(rate) ?? 0n,
  }
}
