/**
 * One seed for every property test, so that a failure repeats. `PROPERTY_SEED=7 npx vitest run …` tries other cases.
 */
import fc from 'fast-check'
import { everyCase } from './everyCase.ts'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_123), numRuns: everyCase ? 100 : 25 })
