/** One seed for every property test: a run fails again as it failed. `PROPERTY_SEED=7 npx vitest run …` tries other cases. */
import fc from 'fast-check'

fc.configureGlobal({ seed: Number(process.env.PROPERTY_SEED ?? 20_261_123) })
