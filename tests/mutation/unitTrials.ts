/** Trials by tests: runs test files over one planted fault after another, in a Vitest that stays warm. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest } from 'vitest/node'
import { changed, type Mutant } from './mutant.ts'

export type UnitTrials = {
  /** @returns the first failing file of the mutant's tests, with its error; undefined when all pass */
  noticed(mutant: Mutant | undefined, files: readonly string[]): Promise<{ name: string; why: string } | undefined>
  close(): Promise<void>
}

export async function createUnitTrials(root: string): Promise<UnitTrials> {
  let planted: { path: string; source: string } | undefined
  const vitest = await createVitest(
    'test',
    {
      root,
      config: false,
      watch: false,
      include: ['tests/**/*.test.{ts,tsx}'],
      pool: 'threads',
      maxWorkers: 1,
      bail: 1,
      testTimeout: 60_000,
      expect: { poll: { timeout: 15_000, interval: 20 } },
      setupFiles: ['seeded', 'freshStorage'].map(name => join(root, `tests/${name}.ts`)),
      reporters: [{}],
    },
    {
      plugins: [
        {
          name: 'plant',
          enforce: 'pre',
          load: id => (id === planted?.path ? planted.source : undefined),
        },
      ],
    },
  )
  return {
    async noticed(mutant, files) {
      const path = mutant && join(root, mutant.file)
      planted = mutant && path ? { path, source: changed(readFileSync(path, 'utf8'), mutant) } : undefined
      if (path) vitest.invalidateFile(path)
      try {
        const specifications = (await vitest.globTestSpecifications([...files])).filter(({ moduleId }) =>
          files.some(file => moduleId === join(root, file)),
        )
        if (specifications.length !== files.length)
          throw new Error(`${mutant?.what} expected the tests ${files.join(', ')}, got ${specifications.length} files`)
        const { testModules, unhandledErrors } = await vitest.runTestSpecifications(specifications)
        // The results include earlier trials
        for (const module of testModules) {
          if (!specifications.some(({ moduleId }) => moduleId === module.moduleId)) continue
          const name = module.moduleId.slice(root.length + 1)
          const [error] = module.errors()
          if (error) return { name, why: error.message }
          for (const test of module.children.allTests('failed')) return { name, why: test.fullName }
        }
        return unhandledErrors.length > 0
          ? { name: files[0] ?? '', why: 'something threw beside the tests' }
          : undefined
      } finally {
        planted = undefined
        if (path) vitest.invalidateFile(path)
      }
    },
    close: () => vitest.close(),
  }
}
