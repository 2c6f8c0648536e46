/** The first 100 of the thousand seeds run in Chromium and in Node (`seeds.browser.test.ts`), half of the others here. */
import { testSeeds } from './seeds.ts'

testSeeds(100, 450)
