import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The journeys in engines beside Chromium; the wallet's page stays in Chromium. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/engines',
  // These run on the published build
  globalSetup: [],
  // Not the folder of the other journeys, whose results would be deleted
  outputDir: 'test-results/engines',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 60_000 },
})
