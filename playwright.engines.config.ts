import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The journeys in engines beside Chromium; the wallet's page stays in Chromium. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/engines',
  // They run on the published build
  globalSetup: [],
  // Its own, so that what the journeys before it left behind stays
  outputDir: 'test-results/engines',
  workers: 1,
  // `npm run engines` runs these, too
  ...(process.env.ENGINES === 'all' ? {} : { grepInvert: /@long/ }),
  timeout: 300_000,
  expect: { timeout: 60_000 },
})
