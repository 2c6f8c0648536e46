/** The second half of the seeds that run in Node alone. */
import { testSeeds } from './seeds.ts'

testSeeds(550, 450)
