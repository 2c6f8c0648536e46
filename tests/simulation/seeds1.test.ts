/** The first half of the seeds; the other half runs beside it on another core. */
import { testSeeds } from './seeds.ts'

testSeeds(0, 500)
