import type { Human } from '@/api/human'

/** Whether the profile has a name and skills. A new account's name is its random username. */
export function isPresentable(human: Pick<Human, 'name' | 'username' | 'skills'>): boolean {
  return human.name !== human.username && human.skills.length > 0
}
