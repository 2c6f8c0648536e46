/**
 * The workers of one page, one after another.
 *
 * 1. One worker at a time. A lost worker is terminated before the next one is created.
 * 2. The next start is automatic, with back-off after quick deaths. After many in a row it waits for the person or the network.
 * 3. A worker with altered files is never run, and no other start follows.
 * 4. A browser that runs no worker's checked script, as under a policy, is told apart from a worker that dies.
 *
 * One function, because a death, a start and the giving up change the same current worker.
 */
import { toFailure } from '../failure.ts'
import type { CallTable, Hello } from '../wire.ts'
import { createDeaths } from './deaths.ts'
import { endOf, whenGone } from './endOf.ts'
import type { BlockedWords, CoreWorker, OwnPageFact, WorkerSource } from './pageTypes.ts'
import { createRemote, type RemoteCore } from './remote.ts'

type Cause = 'start' | 'lost'

type WorkerLives = {
  current(): RemoteCore | undefined
  begin(cause: Cause): void
  /** Gives the worker up, if it is the current one; the next start follows. */
  lost(from: RemoteCore, reason: string): void
  /** Terminates the worker; no other start follows. */
  stop(): void
  /** Starts again after giving up: the page became visible, or the network is back. */
  tryAgain(): void
  /** Whether the automatic starts have ended. */
  gaveUp(): boolean
  /** The part of the introduction about the page's workers. */
  introduction(): Pick<Hello, 'diedInStep' | 'worker' | 'ended'>
  /** The page attached through the current worker: no earlier step is suspected any more, and its life lock is watched. */
  joined(): void
  /** The log is another one, so no input of it is suspected. */
  forgetStep(): void
}

type Ports = WorkerSource & {
  tab: string
  calls: CallTable
  words: BlockedWords
  now(): number
  lifeLock(worker: string): string
  dispatch(fact: OwnPageFact): void
  /** Attaches to a core through a new worker; the worker is lost when that fails. */
  join(worker: RemoteCore, cause: Cause): Promise<void>
  /** The current worker is lost. */
  left(): void
}

/** This many scripts in a row that are there but not run are forbidden ones. */
const mostRefused = 3

export function createWorkerLives(ports: Ports): WorkerLives {
  const { makeWorker, checkScript, calls, words, now, tab, lifeLock, dispatch, join, left } = ports
  const deaths = createDeaths(now)
  let remote: RemoteCore | undefined
  let made = 0
  /** the worker whose life lock is watched */
  let watched: RemoteCore | undefined
  /** number of the input in whose step an earlier worker ended; 0 for none */
  let diedInStep = 0
  /** number of scripts in a row that the browser did not run */
  let refused = 0
  let gaveUp = false
  let isStopped = false

  const nameOf = (nth: number) => `${tab}.w${nth}`

  function lost(from: RemoteCore, reason: string): void {
    if (remote !== from) return
    remote = undefined
    left()
    diedInStep = from.inStep() || diedInStep
    from.lose(reason)
    ended(reason)
  }

  /** Schedules the next start, or gives up after too many deaths. */
  function ended(reason: string): void {
    dispatch({ type: 'tab.coreLost', data: { reason: reason.slice(0, 200) } })
    if (refused >= mostRefused)
      return dispatch({ type: 'tab.blocked', data: { message: words.forbidden, why: 'forbidden' } })
    const waitMs = deaths.died()
    gaveUp = waitMs === undefined
    if (gaveUp) dispatch({ type: 'tab.blocked', data: { message: words.gaveUp, reload: true, why: 'gaveUp' } })
    else setTimeout(() => begin('lost'), waitMs)
  }

  function begin(cause: Cause): void {
    if (isStopped) return
    deaths.started()
    if (!checkScript) return start(cause)
    checkScript().then(() => start(cause), notStarted)
  }

  /** Altered files end the starts; missing files need a reload. Any other failure counts as a death. */
  function notStarted(cause: unknown): void {
    if (isStopped) return
    const { code, message } = toFailure(cause)
    if (code === 'bad_response')
      dispatch({ type: 'tab.blocked', data: { message: words.altered, reload: true, why: 'altered' } })
    else if (code === 'reload_needed') dispatch({ type: 'tab.outdated', data: {} })
    else ended(message)
  }

  function start(cause: Cause): void {
    if (isStopped) return
    let worker: CoreWorker
    try {
      worker = makeWorker()
    } catch (fault) {
      console.error('the worker could not be created:', toFailure(fault).message)
      dispatch({ type: 'tab.blocked', data: { message: words.forbidden, why: 'forbidden' } })
      return
    }
    made += 1
    const mine = createRemote(calls, worker)
    remote = mine
    worker.onerror = event => {
      event.preventDefault()
      if (checkScript && !event.message) refused += 1
      lost(mine, endOf(event.message))
    }
    worker.onmessageerror = () => lost(mine, 'a message could not be read')
    void join(mine, cause).catch((fault: unknown) => lost(mine, toFailure(fault).message))
  }

  return {
    current: () => remote,
    begin,
    lost,
    tryAgain() {
      if (!gaveUp) return
      gaveUp = false
      deaths.forget()
      begin('lost')
    },
    stop() {
      isStopped = true
      const mine = remote
      remote = undefined
      left()
      mine?.lose('the page closed it')
    },
    gaveUp: () => gaveUp,
    introduction: () => ({ diedInStep, worker: nameOf(made), ...(made > 1 && { ended: nameOf(made - 1) }) }),
    joined() {
      const mine = remote
      diedInStep = 0
      refused = 0
      if (mine && watched !== mine) whenGone(lifeLock(nameOf(made)), () => lost(mine, 'it ended'))
      watched = mine
    },
    forgetStep() {
      diedInStep = 0
    },
  }
}
