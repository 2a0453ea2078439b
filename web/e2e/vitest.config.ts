import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Runs the stories that advance the chain's clock after all others. The halves of the stories take
 * about the same time if every second file is in the same half.
 */
class ClockLast extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isOverdue = ({ moduleId }: TestSpecification) => moduleId.endsWith('overdue.story.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter((file) => !isOverdue(file)), ...sorted.filter(isOverdue)]
  }

  override async shard(files: TestSpecification[]) {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 }
    return files
      .toSorted((a, b) => a.moduleId.localeCompare(b.moduleId))
      .filter((_, place) => place % count === index - 1)
  }
}

export default defineConfig({
  test: {
    include: ['e2e/*.story.ts'],
    globalSetup: ['e2e/world.ts'],
    // The stories share one test world and its resources.
    fileParallelism: false,
    sequence: { sequencer: ClockLast },
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
})
