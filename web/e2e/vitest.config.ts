import { basename } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

// These take as long as all others together.
const slow = ['clock', 'journey', 'pages', 'sessions', 'untrusted-text']
const isSlow = ({ moduleId }: TestSpecification) => slow.includes(basename(moduleId, '.story.ts'))

/** Runs the stories that advance the chain's clock after all others. */
class ClockLast extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isOverdue = ({ moduleId }: TestSpecification) => moduleId.endsWith('overdue.story.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter((file) => !isOverdue(file)), ...sorted.filter(isOverdue)]
  }

  override async shard(files: TestSpecification[]) {
    const isFirst = this.ctx.config.shard?.index === 1
    return files.filter((file) => isSlow(file) === isFirst)
  }
}

export default defineConfig({
  test: {
    include: ['e2e/*.story.ts'],
    globalSetup: ['e2e/world.ts'],
    // The stories share one test world and one browser.
    fileParallelism: false,
    isolate: false,
    sequence: { sequencer: ClockLast },
    testTimeout: 300_000,
    hookTimeout: 240_000,
    // The same patience as in all other waits: a busy machine can take longer than the default of 1 s.
    expect: { poll: { timeout: 60_000 } },
  },
})
