import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Stories that move the clock of the world come after all others. */
class ClockLast extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLate = ({ moduleId }: TestSpecification) => moduleId.endsWith('late.story.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter((file) => !isLate(file)), ...sorted.filter(isLate)]
  }
}

export default defineConfig({
  test: {
    include: ['e2e/*.story.ts'],
    globalSetup: ['e2e/world.ts'],
    // The stories share a world and a machine.
    fileParallelism: false,
    sequence: { sequencer: ClockLast },
    testTimeout: 300_000,
    hookTimeout: 240_000,
  },
})
