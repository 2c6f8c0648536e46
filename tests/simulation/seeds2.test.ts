/** The second half of the seeds. */
import { testSeeds } from './seeds.ts'

testSeeds(500, 500)
