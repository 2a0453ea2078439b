import { expect, test } from 'vitest'
import type { HealthReason, Health as Report } from './gen/types.gen'
import { healthOf } from './health'

const report = (reasons: HealthReason[], head?: number): Report => ({
  status: reasons.length === 0 ? 'ok' : 'degraded',
  reasons,
  version: '1',
  database: 'ok',
  chain: head === undefined ? {} : { head },
})

test.each([
  [report([], 7), 'ok'],
  [report(['node_unavailable']), 'chain unreachable'],
  [report(['chain_lagging', 'disk_low'], 7), 'chain behind'],
  [report(['disk_low'], 7), 'limited'],
  [report(['keeper_limit'], 7), 'limited'],
])('%j is %s', (report, health) => {
  expect(healthOf(report)).toBe(health)
})
