import { defineConfig } from '@playwright/test'
import journeys from './playwright.config.ts'

/** The journeys in engines beside Chromium; the wallet's page stays in Chromium. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/engines',
  workers: 1,
  timeout: 300_000,
  expect: { timeout: 60_000 },
})
