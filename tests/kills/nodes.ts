/**
 * Kills Node processes: the worker side runs in its own process on a disk in a file; the process is killed during a visit, and
 * another one opens the same file.
 */
import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { buildProgram, root } from '../bench/builds.ts'
import { signerFromWord } from '../stack/wallet/signer.ts'
import { configFor } from '../worker/tabs/page.ts'
import { seededChance } from './chance.ts'
import { openDocket, type Told, tellAll } from './docket.ts'
import type { LifeLine, LifeOptions } from './nodeLife.ts'
import type { Seen, Testimony } from './seen.ts'
import { walletWord } from './visitor.ts'
import { within } from './workers.ts'
import { expiryBlocks, finalBlocks, fund, goOn, type KillWorld } from './world.ts'

/** Warning of spl-token's bigint reader in every Node process. */
const harmless = 'bigint: Failed to load bindings, pure JS will be used (try npm run rebuild?)\n'

/**
 * One visitor, one disk, many processes.
 *
 * @param run `round` and the seed name every choice
 * @throws Error when a process or its core does not come up
 */
export async function killNodes(
  { stack, folder }: KillWorld,
  { seed, round, kills }: { seed: string; round: number; kills: number },
  tell: Told,
): Promise<void> {
  const chance = seededChance(seed, 'node', round)
  const outDir = join(root, 'node_modules/.cache/kills')
  const program = await buildProgram(outDir, join(import.meta.dirname, 'nodeLife.ts'), 'apart')
  const file = join(await mkdtemp(join(folder, 'disk-')), 'disk')
  const word = walletWord(seed, `node ${round}`)
  const { address } = signerFromWord(word)
  fund(stack, address)
  const docket = openDocket()
  let pending: string[] = []
  for (let number = 0; ; number++) {
    const isLast = number === kills
    const words = [seed, 'node', round, number]
    const life = begin(program, { file, words, word, tab: `t-node${number}`, config: configFor(stack), atRest: isLast })
    const advancing = setInterval(() => isLast && stack.solana.chain.advance(finalBlocks), 300)
    try {
      await within('a Node process', life.began)
      stack.solana.chain.advance(expiryBlocks)
      goOn(stack, chance)
      const isEarly = !isLast && chance.below(5) === 0
      let told = 0
      if (!isEarly) {
        const testimony = await within(`the log in a new process${isLast ? ' at rest' : ''}`, life.testimony).catch(
          life.explain,
        )
        told = testimony.seen.length
        tellAll(tell, pending, await (isLast ? docket.close(testimony, stack, address) : docket.judge(testimony)))
        pending = []
      }
      if (isLast) return
      const afterMs = isEarly
        ? chance.below(250)
        : chance.oneOf([chance.below(300), chance.below(3000), chance.below(6000)])
      await wait(afterMs)
      for (const one of (await life.kill()).slice(told)) docket.see(one)
      docket.see({ saw: 'killed' })
      pending.push(`process ${number + 1}, ${afterMs} ms after it ${isEarly ? 'began' : 'told its log'}`)
    } finally {
      clearInterval(advancing)
      await life.kill()
    }
  }
}

type Life = {
  began: Promise<true>
  /** Its log, and its observations up to then. */
  testimony: Promise<Testimony>
  /** @throws Error with the progress added */
  explain(problem: unknown): never
  /** @returns all its observations, once it is gone */
  kill(): Promise<Seen[]>
}

function begin(program: string, options: LifeOptions): Life {
  const child: ChildProcessByStdio<null, Readable, Readable> = spawn(
    process.execPath,
    [program, JSON.stringify(options)],
    {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  )
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    process.stderr.write(text.replaceAll(harmless, ''))
  })
  const gone = new Promise<void>(resolve => child.once('close', () => resolve()))
  const orEnded = <T>(awaited: Promise<T>): Promise<T> => {
    const ended = gone.then((): never => {
      throw new Error('the process has ended')
    })
    const first = Promise.race([awaited, ended])
    // Most are killed when nothing waits for them any more
    first.catch(() => undefined)
    return first
  }
  const seen: Seen[] = []
  let start: (value: true) => void
  let testify: (testimony: Testimony) => void
  const began = new Promise<true>(resolve => (start = resolve))
  const testimony = new Promise<Testimony>(resolve => (testify = resolve))
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    // A truncated line was never reported
    rest = lines.pop() ?? ''
    for (const line of lines) {
      const said = JSON.parse(line) as LifeLine
      if ('seen' in said) seen.push(said.seen)
      else if ('began' in said) start(true)
      else testify({ ...said, seen: [...seen] })
    }
  })
  return {
    began: orEnded(began),
    testimony: orEnded(testimony),
    explain(problem) {
      const last = JSON.stringify(seen.at(-1) ?? 'nothing').slice(0, 200)
      throw new Error(`${String(problem)}; it had seen ${seen.length} things, the last ${last}`)
    },
    async kill() {
      child.kill('SIGKILL')
      await gone
      return seen
    },
  }
}
