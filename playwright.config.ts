import { defineConfig } from '@playwright/test'
import { savedBrowser } from './scripts/savedBrowser.ts'
import { everyCase } from './tests/everyCase.ts'

const executablePath = savedBrowser()

export default defineConfig({
  testDir: 'tests/journeys',
  globalSetup: './tests/journeys/setUp.ts',
  testMatch: ['**/*.journey.ts', '**/*.spec.ts'],
  outputDir: 'test-results',
  grepInvert: everyCase ? [] : /@long/,
  // One more than the cores it is planned for: a journey mostly waits.
  workers: 3,
  retries: 0,
  forbidOnly: true,
  // A build or a stack that is broken fails every journey, each after its whole time
  maxFailures: 12,
  // Nets under what never comes, far from the time that anything takes on a busy machine.
  timeout: 180_000,
  expect: { timeout: 60_000 },
  reporter: [['list'], ['json', { outputFile: process.env.JOURNEY_REPORT ?? 'test-results/journeys.json' }]],
  use: {
    headless: true,
    viewport: { width: 1280, height: 900 },
    deviceScaleFactor: 1,
    locale: 'en-GB',
    timezoneId: 'UTC',
    // Drawing endless animations took a sixth of the browsers' time; the journeys that look at motion ask for it.
    contextOptions: { reducedMotion: 'reduce' },
    trace: 'off',
    launchOptions: {
      ...(executablePath ? { executablePath } : {}),
      args: [
        '--no-sandbox',
        '--disable-gpu',
        '--disable-background-networking',
        '--font-render-hinting=none',
        // Without a process for drawing, and without compiling code that runs once, journeys take a tenth less CPU
        '--in-process-gpu',
        '--js-flags=--interrupt-budget=540672',
      ],
    },
  },
})
