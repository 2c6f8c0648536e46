/**
 * One seed for every property test, so that a failure repeats. `PROPERTY_SEED=7 npx vitest run …` tries other cases.
 */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_123) })
