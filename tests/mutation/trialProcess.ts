/**
 * A process that tries planted faults. A trial that is silent for too long hangs in a loop: that is a catch, too, and the next
 * trial gets a new process.
 */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import type { Mutant } from './mutant.ts'
import type { Caught, Outcome } from './report.ts'
import type { Trying } from './trial.ts'
import type { Asked, Heard } from './trials.ts'

/** Silence after which a trial counts as hanging in a loop, which no test would pass either, ms. */
const silentMs = 60_000
/** Worlds create many short-lived objects: a larger young heap makes them a fifth faster. */
const roomy = '--max-semi-space-size=64'
/** A process keeps parts of every fault's modules. */
const trialsPerProcess = 60

export type TrialProcess = {
  /** `isPlanted`: whether recordings or seeds run the fault's file. @param limitMs time for the whole trial */
  attempt(mutant: Mutant | undefined, trying: Trying, limitMs: number): Promise<Outcome & { isPlanted: boolean }>
  end(): void
}

export function createTrialProcess(root: string): TrialProcess {
  let child: ChildProcess | undefined
  let trials = 0

  function begin(): ChildProcess {
    trials = 0
    return fork(join(root, 'tests/mutation/trials.ts'), {
      execArgv: [roomy, '--import', 'tsx'],
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      cwd: root,
    })
  }

  function end(): void {
    child?.kill('SIGKILL')
    child = undefined
  }

  return {
    end,
    attempt(mutant, trying, limitMs) {
      if (trials >= trialsPerProcess) end()
      const isNew = child === undefined
      const its = (child ??= begin())
      trials += 1
      return new Promise(resolve => {
        const caught: Caught = {}
        let isPlanted = false
        let isUnderWay = false
        let last = ''
        let count = 0
        let phase: 'recording' | 'seed' = 'recording'
        const ended = (note?: string) => {
          clearTimeout(late)
          clearTimeout(quiet)
          its.removeAllListeners()
          resolve({ caught, isPlanted, ...(note !== undefined && { note }) })
        }
        const broke = (why: string) => {
          end()
          if (isPlanted) caught[phase] = { name: last, after: count, why }
          ended()
        }
        const tooLate = () => {
          end()
          ended(`${limitMs / 1000} s were not enough`)
        }
        const silence = () => broke('it never came back')
        const late = setTimeout(tooLate, limitMs)
        let quiet = setTimeout(silence, silentMs)
        const ask = () => {
          isUnderWay = true
          its.send({ ...(mutant && { mutant }), trying } satisfies Asked)
        }
        its.on('message', (heard: Heard) => {
          clearTimeout(quiet)
          quiet = setTimeout(silence, silentMs)
          if ('ready' in heard) ask()
          else if ('planted' in heard) isPlanted = heard.planted
          else if ('over' in heard) ended()
          else if ('tried' in heard) {
            last = heard.tried
            count += 1
          } else if ('recording' in heard) {
            if (heard.recording) caught.recording = heard.recording
            phase = 'seed'
            count = 0
          } else if (heard.seed) caught.seed = heard.seed
        })
        its.once('exit', code => broke(`it ended with ${code}`))
        if (!isNew && !isUnderWay) ask()
      })
    },
  }
}
