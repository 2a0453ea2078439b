import type { Human } from '@/api/human'

/** Whether somebody said who they are: newcomers are named like their random username. */
export function isPresentable(human: Pick<Human, 'name' | 'username' | 'skills'>): boolean {
  return human.name !== human.username && human.skills.length > 0
}
