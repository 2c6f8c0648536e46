import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { savedBrowser } from './scripts/savedBrowser.ts'
import { bundledWorkers } from './tests/bundledWorkers.ts'
import { everyCase, longFiles } from './tests/everyCase.ts'
import { simulateInNode } from './tests/simulation/inNode.ts'
import { lateDependencies } from './vite.config.ts'

const inBrowser = 'tests/**/*.browser.test.{ts,tsx}'
/** Tests that leave a lock, a tab, a stand-in or a wallet behind, or measure their own thread: each file has its own. */
const isolated = [
  'tests/contracts/providerFamilies.test.ts',
  'tests/main/drivers/stackWallets.test.ts',
  'tests/worker/tabs/{attestation,canary,deviceAway,downgrade,newLeader,otherBuild,othersStorage,poison}.test.ts',
  'tests/worker/tabs/{ready,relays,storage,tabs,tabsAtRandom,takeOver}.test.ts',
  'tests/worker/sessionWeight.test.ts',
  'tests/fuzz/steps.test.ts',
]
/** Tests with a whole core or a wallet kit, which may still poll its services after its file: no other test may share their thread. */
const wholeCores = [
  'tests/interop/**/*.test.ts',
  'tests/contracts/{installed,kit,provider,walletPage}.test.ts',
  'tests/worker/tabs/*.test.ts',
]
/** Tests that start servers, sockets or disks, and stop them. */
const withStack = [
  'tests/{contracts,kills,scripts,stack}/**/*.test.ts',
  'tests/main/{drivers,embed,page,provider,signIn}/**/*.test.ts',
  'tests/main/*.test.ts',
  'tests/worker/drivers/**/*.test.ts',
  'tests/events/replay/replay.test.ts',
]
const leftOut = everyCase ? [] : longFiles
const executablePath = savedBrowser()

/** Patience of a poll: only the test’s own timeout ends it on a busy machine. */
const patient = { poll: { timeout: 60_000, interval: 20 } }

const inNode = {
  environment: 'node',
  pool: 'threads' as const,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  expect: patient,
  setupFiles: ['tests/seeded.ts', 'tests/freshStorage.ts'],
}

/** V8 optimizes a function after eight times its usual work: most code of a test runs too briefly to repay its compilation. */
setFlagsFromString('--interrupt-budget=540672')
// A tenth less time goes into collecting garbage, MiB
setFlagsFromString('--min-semi-space-size=32')
setFlagsFromString('--max-semi-space-size=64')

/**
 * Files with a document first: Vitest gives one thread its first environment's files in one piece, and makes a document anew for
 * each file of another one, which took 27 s.
 */
class DocumentsFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files)
    const hasDocument = ({ moduleId }: TestSpecification) =>
      readFileSync(moduleId, 'utf8').startsWith('// @vitest-environment happy-dom')
    return [...sorted.filter(hasDocument), ...sorted.filter(file => !hasDocument(file))]
  }
}

export default defineConfig({
  test: {
    sequence: { sequencer: DocumentsFirst },
    // The run is planned for two cores
    maxWorkers: 2,
    // Its stages, and later runs, transform each file once
    experimental: { fsModuleCache: true },
    projects: [
      {
        test: {
          ...inNode,
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [inBrowser, 'tests/journeys/**', ...withStack, ...wholeCores, ...isolated, ...leftOut],
          // A thread evaluates each module once for all of its files; without this most of the time goes into imports
          isolate: false,
        },
      },
      {
        test: {
          ...inNode,
          name: 'stack',
          include: withStack,
          exclude: [inBrowser, ...wholeCores, ...isolated, ...leftOut],
          isolate: false,
        },
      },
      {
        test: {
          ...inNode,
          name: 'cores',
          include: wholeCores,
          exclude: [inBrowser, ...isolated, ...leftOut],
          isolate: false,
        },
      },
      { test: { ...inNode, name: 'isolated', include: isolated, exclude: [inBrowser, ...leftOut] } },
      {
        cacheDir: 'node_modules/.cache/vitest-browser',
        plugins: [bundledWorkers()],
        // A page has no environment
        define: { 'process.env.CASES': JSON.stringify(process.env.CASES ?? '') },
        optimizeDeps: { include: [...lateDependencies, 'react', 'react-dom/client', 'react/jsx-dev-runtime'] },
        test: {
          name: 'browser',
          include: [inBrowser],
          setupFiles: ['tests/browserSetup.ts'],
          testTimeout: 120_000,
          expect: patient,
          hookTimeout: 120_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: executablePath ? { executablePath } : {} }),
            instances: [{ browser: 'chromium' }],
            commands: { simulateInNode },
          },
        },
      },
    ],
  },
})
