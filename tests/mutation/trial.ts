/**
 * One trial of a core: the recordings first, then seeds until one fails. Each output line is JSON; there is at least one per
 * seed, so that a hanging trial can be detected.
 *
 *   node trial.mjs RECORDINGS-FOLDER SEEDS
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictly } from '../replay/strictly.ts'
import { simulateSeed } from '../simulation/simulate.ts'

/** The recording or seed that caught a fault. */
export type Catch = { name: string; after: number; why: string }

/** Findings of a trial: of its recordings first, then of its seeds, separately. */
export type Said = { tried: number } | { recording: Catch | null } | { seed: Catch | null }

/** Seeds that catch many faults run first; the order affects the time to a catch, not the result. */
const keen = [0, 1, 5, 6, 9, 13, 15, 44]

const [folder = '', seeds = '0'] = process.argv.slice(2)
const say = (said: Said) => console.log(JSON.stringify(said))

async function recordingThatFails(): Promise<Catch | null> {
  const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  for (const [at, name] of names.entries()) {
    const verdict = await strictly(readFileSync(join(folder, name), 'utf8')).catch(String)
    if (typeof verdict === 'object' && verdict.ok) continue
    const why = typeof verdict === 'string' ? verdict : 'it comes out otherwise'
    return { name, after: at + 1, why }
  }
  return null
}

async function seedThatFails(): Promise<Catch | null> {
  const all = Array.from({ length: Number(seeds) }, (_, seed) => seed)
  const order = [...keen.filter(seed => seed < all.length), ...all.filter(seed => !keen.includes(seed))]
  for (const [at, seed] of order.entries()) {
    say({ tried: at })
    let why: string | undefined
    try {
      why = (await simulateSeed(seed)).wrong
    } catch (cause) {
      why = `the world broke: ${(cause as Error).message}`
    }
    if (why !== undefined) return { name: String(seed), after: at + 1, why: why.slice(0, 160) }
  }
  return null
}

say({ recording: await recordingThatFails() })
say({ seed: await seedThatFails() })
