import { defineConfig } from '@playwright/test'
import { join } from 'node:path'
import { pinnedBrowser } from './scripts/savedBrowser.ts'
import journeys from './playwright.config.ts'

const place = pinnedBrowser()
if (!place) throw new Error('the pictures need `node scripts/ready.mjs --pinned`, on Linux on x64')

/** Pictures of the modal, compared in one pinned Chromium with fonts of the project. */
export default defineConfig({
  ...journeys,
  testDir: 'tests/visual',
  testMatch: ['**/*.visual.ts'],
  globalSetup: [],
  outputDir: 'test-results/visual',
  workers: 1,
  snapshotPathTemplate: 'tests/visual/pictures/{arg}{ext}',
  use: {
    ...journeys.use,
    launchOptions: {
      executablePath: join(place, 'chromium'),
      env: { ...process.env, LD_LIBRARY_PATH: join(place, 'lib') },
      args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--font-render-hinting=none'],
    },
  },
})
