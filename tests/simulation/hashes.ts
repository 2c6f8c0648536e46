/**
 * The hashes of seeds' logs as one line of JSON.
 *
 *   node --import tsx tests/simulation/hashes.ts FROM COUNT
 */
import { simulate } from './simulate.ts'

const [from = 0, count = 0] = process.argv.slice(2).map(Number)
console.log(JSON.stringify(Array.from({ length: count }, (_, at) => simulate(from + at).hash)))
