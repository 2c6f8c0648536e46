import { playwright } from '@vitest/browser-playwright'
import { defineConfig } from 'vitest/config'
import { savedBrowser } from './scripts/savedBrowser.ts'
import { simulateInNode } from './tests/simulation/inNode.ts'
import { lateDependencies } from './vite.config.ts'

const inBrowser = 'tests/**/*.browser.test.{ts,tsx}'
const executablePath = savedBrowser()

/** A test ends by its own time, never because one look in it came late. */
const patient = { poll: { timeout: 60_000, interval: 20 } }

export default defineConfig({
  test: {
    // Two cores are what the whole run is planned for.
    maxWorkers: 2,
    projects: [
      {
        test: {
          name: 'unit',
          include: ['tests/**/*.test.{ts,tsx}'],
          exclude: [inBrowser, 'tests/journeys/**'],
          environment: 'node',
          pool: 'threads',
          testTimeout: 60_000,
          expect: patient,
          hookTimeout: 60_000,
        },
      },
      {
        cacheDir: 'node_modules/.cache/vitest-browser',
        optimizeDeps: { include: [...lateDependencies, 'react', 'react-dom/client', 'react/jsx-dev-runtime'] },
        test: {
          name: 'browser',
          include: [inBrowser],
          testTimeout: 60_000,
          expect: patient,
          hookTimeout: 60_000,
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
