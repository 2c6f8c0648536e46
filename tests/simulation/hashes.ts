/**
 * Prints the hashes of seeds' logs as one line of JSON; a failing seed ends it with an error.
 *
 *   node --import tsx tests/simulation/hashes.ts FROM COUNT
 */
import { type Simulated, simulate } from './simulate.ts'

const [from = 0, count = 0] = process.argv.slice(2).map(Number)
const outcomes: Simulated[] = []
for (let seed = from; seed < from + count; seed++) outcomes.push(await simulate(seed))
for (const { seed, wrong } of outcomes)
  if (wrong !== undefined) throw new Error(`${wrong} — npm run simulate -- --seed ${seed}`)
console.log(JSON.stringify(outcomes.map(({ hash }) => hash)))
