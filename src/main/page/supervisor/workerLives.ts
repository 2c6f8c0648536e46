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
import { toFailure } from '../../../runtime/failure.ts'
import type { PageFact } from '../../../events/app.ts'
import type { PageHello } from '../../../events/wire.ts'
import { createDeaths, gaveUpWords } from './deaths.ts'
import { endOf, whenGone } from './endOf.ts'
import { createRemote, type RemoteCore } from './remote.ts'
import type { CoreWorker, SupervisorPorts } from './supervisorPorts.ts'

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
  /** The part of `PageHello` about the page's workers. */
  introduction(): Pick<PageHello, 'diedInStep' | 'worker' | 'ended'>
  /** The page attached through the current worker: no earlier step is suspected any more, and its life lock is watched. */
  joined(): void
  /** The log is another one, so no input of it is suspected. */
  forgetStep(): void
}

type Ports = Pick<SupervisorPorts, 'makeWorker' | 'checkScript' | 'now'> & {
  tab: string
  dispatch(fact: PageFact): void
  /** Attaches to a core through a new worker; the worker is lost when that fails. */
  join(worker: RemoteCore, cause: Cause): Promise<void>
  /** The current worker is lost. */
  left(): void
}

const forbiddenWords = 'This browser does not let this page work in the background. Another browser may.'
/** This many scripts in a row that are there but not run are forbidden ones. */
const mostRefused = 3
const alteredWords = 'One of its files was altered. Reload the page; do not pay if this stays.'

export function createWorkerLives({ makeWorker, checkScript, now, tab, dispatch, join, left }: Ports): WorkerLives {
  const deaths = createDeaths(now)
  let remote: RemoteCore | undefined
  let made = 0
  /** the worker whose life lock is watched */
  let mourned: RemoteCore | undefined
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
    if (refused >= mostRefused) return dispatch({ type: 'tab.blocked', data: { message: forbiddenWords } })
    const waitMs = deaths.died()
    gaveUp = waitMs === undefined
    if (gaveUp) dispatch({ type: 'tab.blocked', data: { message: gaveUpWords, reload: true } })
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
    if (code === 'bad_response') dispatch({ type: 'tab.blocked', data: { message: alteredWords, reload: true } })
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
      dispatch({ type: 'tab.blocked', data: { message: forbiddenWords } })
      return
    }
    made += 1
    const mine = createRemote(worker)
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
      if (mine && mourned !== mine) whenGone(nameOf(made), () => lost(mine, 'it ended'))
      mourned = mine
    },
    forgetStep() {
      diedInStep = 0
    },
  }
}
