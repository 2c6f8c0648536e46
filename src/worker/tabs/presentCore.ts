/**
 * The core that answers this worker's page: its own or the leader's, one after another.
 *
 * 1. `attach` waits for a core, and goes to the next one when its core is lost meanwhile.
 * 2. Any other call fails with `core_lost` unless the page has attached to the present core: that core knows no other tab. The
 *    page repeats what can be repeated.
 */
import { Fault } from '../../runtime/failure.ts'
import { type Attached, coreNames, type PageHello, type PagePort } from '../../events/wire.ts'
import type { Calls } from '../host/calls/calls.ts'
import { forwardCalls } from '../host/calls/forwardCalls.ts'

type PresentCore = {
  /** The page's calls. */
  calls: Calls
  /** From now on this core answers; none for a while without one. */
  serve(next: Calls | undefined): void
  /** The core itself, for what needs no page that has attached. */
  now(): Calls | undefined
}

/** @param attaching hears each page port that is about to be attached */
export function createPresentCore(attaching: (port: PagePort) => void): PresentCore {
  let core: Calls | undefined
  /** the core that the page has attached to */
  let attachedTo: Calls | undefined
  const served: ((core: Calls) => void)[] = []

  const present = async () => core ?? new Promise<Calls>(resolve => served.push(resolve))

  function attached(): Calls {
    if (!core || attachedTo !== core)
      throw new Fault('core_lost', 'a call expected its page to have attached to the present core')
    return core
  }

  async function attach(hello: PageHello, port: PagePort): Promise<Attached> {
    const to = await present()
    attaching(port)
    try {
      const welcome = await to.attach(hello, port)
      if (to === core) attachedTo = to
      return welcome
    } catch (cause) {
      if (to === core) throw cause
      return attach(hello, port)
    }
  }

  return {
    calls: { ...forwardCalls<Calls>(coreNames, attached), attach },
    serve(next) {
      core = next
      attachedTo = undefined
      if (next) for (const goOn of served.splice(0)) goOn(next)
    },
    now: () => core,
  }
}
