import { expect, test } from 'vitest'
import type { Action, TaskAction } from '@/api/task-next'
import { ownMoves } from './own-move'

const now = (action: TaskAction): Action => ({ action })
const later = (action: TaskAction): Action => ({ action, opensAt: new Date() })

test.each([
  ['nothing is open', [later('settle'), later('emergency_release')], []],
  ['work to do', [now('submit'), now('resign'), now('message')], ['resign']],
  ['just handed in', [now('dispute'), later('settle')], ['dispute']],
  ['thirty days of silence', [later('settle'), now('emergency_release')], ['emergency_release']],
  ['more of it', [now('settle'), now('emergency_release')], ['settle']],
] satisfies [string, Action[], string[]][])('%s', (_, actions, moves) => {
  expect(ownMoves(actions)).toEqual(moves)
})
