/**
 * One core on trial: the recordings first, then seeds until one fails. Each line on the output is JSON; a line comes at least
 * with every seed, so that whoever listens knows a trial that hangs.
 *
 *   node trial.mjs RECORDINGS-FOLDER SEEDS
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { strictly } from '../replay/strictly.ts'
import { simulate } from '../simulation/simulate.ts'

/** What a trial says. */
export type Said =
  | { tried: number }
  | { caught: 'recording' | 'seed'; name: string; after: number; why: string }
  | { survived: number }

const [folder = '', seeds = '0'] = process.argv.slice(2)
const say = (said: Said) => console.log(JSON.stringify(said))

async function recordingThatFails(): Promise<Said | undefined> {
  const names = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
  for (const [at, name] of names.entries()) {
    const verdict = await strictly(readFileSync(join(folder, name), 'utf8')).catch(String)
    if (typeof verdict === 'object' && verdict.ok) continue
    const why = typeof verdict === 'string' ? verdict : 'it comes out otherwise'
    return { caught: 'recording', name, after: at + 1, why }
  }
  return undefined
}

function seedThatFails(): Said | undefined {
  for (let seed = 0; seed < Number(seeds); seed++) {
    say({ tried: seed })
    let why: string | undefined
    try {
      why = simulate(seed).wrong
    } catch (cause) {
      why = `the world broke: ${(cause as Error).message}`
    }
    if (why !== undefined) return { caught: 'seed', name: String(seed), after: seed + 1, why: why.slice(0, 160) }
  }
  return undefined
}

say((await recordingThatFails()) ?? seedThatFails() ?? { survived: Number(seeds) })
