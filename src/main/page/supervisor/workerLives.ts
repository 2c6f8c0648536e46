/**
 * The workers of one page, one after another.
 *
 * 1. One worker at a time: the next is made when the one before it is lost, and that one is ended then.
 * 2. The next start follows by itself, later after quick deaths; after many in a row only a person or the network brings it.
 * 3. A worker whose files came altered is never run, and no other start is tried.
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
  /** Gives a worker up, if it is the current one; the next follows. */
  lost(from: RemoteCore, reason: string): void
  /** Somebody looks again, or the network is back: that may be what was missing. */
  tryAgain(): void
  /** Whether none starts by itself any more. */
  gaveUp(): boolean
  /** The part of a page's introduction that tells of its workers. */
  introduction(): Pick<PageHello, 'diedInStep' | 'worker' | 'ended'>
  /** The page joined a core through the current worker: no step of an earlier one is suspected, and its end is awaited. */
  joined(): void
  /** The log is another one: no input of it was under way. */
  forgetStep(): void
}

type Ports = Pick<SupervisorPorts, 'makeWorker' | 'checkScript' | 'now'> & {
  tab: string
  dispatch(fact: PageFact): void
  /** Joins a core through a new worker; when that fails the worker is lost. */
  join(worker: RemoteCore, cause: Cause): Promise<void>
  /** The current worker is lost. */
  left(): void
}

/** A file of the page was altered between its publication and this visitor. */
const alteredWords = 'One of its files was altered. Reload the page; do not pay if this stays.'

export function createWorkerLives({ makeWorker, checkScript, now, tab, dispatch, join, left }: Ports): WorkerLives {
  const deaths = createDeaths(now)
  let remote: RemoteCore | undefined
  let made = 0
  /** the worker whose end this page waits for */
  let mourned: RemoteCore | undefined
  /** number of the input in whose step a worker before this one ended, 0 for none */
  let diedInStep = 0
  let gaveUp = false

  const nameOf = (nth: number) => `${tab}.w${nth}`

  function lost(from: RemoteCore, reason: string): void {
    if (remote !== from) return
    remote = undefined
    left()
    diedInStep = from.inStep() || diedInStep
    from.lose(reason)
    ended(reason)
  }

  /** Another start follows, unless many before it came to nothing. */
  function ended(reason: string): void {
    dispatch({ type: 'tab.coreLost', data: { reason: reason.slice(0, 200) } })
    const waitMs = deaths.died()
    gaveUp = waitMs === undefined
    if (gaveUp) dispatch({ type: 'tab.blocked', data: { message: gaveUpWords, reload: true } })
    else setTimeout(() => begin('lost'), waitMs)
  }

  function begin(cause: Cause): void {
    deaths.started()
    if (!checkScript) return start(cause)
    checkScript().then(() => start(cause), notStarted)
  }

  /** An altered worker is never run, and no other start is tried: only the person can want one. */
  function notStarted(cause: unknown): void {
    const { code, message } = toFailure(cause)
    if (code === 'bad_response') dispatch({ type: 'tab.blocked', data: { message: alteredWords, reload: true } })
    else if (code === 'reload_needed') dispatch({ type: 'tab.outdated', data: {} })
    else ended(message)
  }

  function start(cause: Cause): void {
    let worker: CoreWorker
    try {
      worker = makeWorker()
    } catch (fault) {
      console.error('a worker could not be made:', toFailure(fault).message)
      const message = 'This browser does not let this page work in the background. Another browser may.'
      dispatch({ type: 'tab.blocked', data: { message } })
      return
    }
    made += 1
    const mine = createRemote(worker)
    remote = mine
    worker.onerror = event => {
      event.preventDefault()
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
    gaveUp: () => gaveUp,
    introduction: () => ({ diedInStep, worker: nameOf(made), ...(made > 1 && { ended: nameOf(made - 1) }) }),
    joined() {
      const mine = remote
      diedInStep = 0
      if (mine && mourned !== mine) whenGone(nameOf(made), () => lost(mine, 'it ended'))
      mourned = mine
    },
    forgetStep() {
      diedInStep = 0
    },
  }
}
