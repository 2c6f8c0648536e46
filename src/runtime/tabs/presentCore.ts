/**
 * The core that answers this worker's page: its own or the leader's, one after another.
 *
 * 1. `attach` waits for a core, and goes to the next one when its core is lost meanwhile.
 * 2. Any other call fails with `core_lost` unless the page has attached to the present core: that core knows no other tab. The
 *    page repeats what can be repeated.
 */
import { forwardCalls } from '../calls/forwardCalls.ts'
import { Fault } from '../failure.ts'
import { type AnyCalls, type AnyPort, type AttachedTo, type CallTable, type Hello, namesOfCore } from '../wire.ts'

type PresentCore = {
  /** The page's calls. */
  calls: AnyCalls
  /** From now on this core answers; none for a while without one. */
  serve(next: AnyCalls | undefined): void
  /** The core itself, for what needs no page that has attached. */
  now(): AnyCalls | undefined
}

/**
 * @param table of the calls
 * @param attaching hears each page port that is about to be attached
 */
export function createPresentCore(table: CallTable, attaching: (port: AnyPort) => void): PresentCore {
  let core: AnyCalls | undefined
  /** the core that the page has attached to */
  let attachedTo: AnyCalls | undefined
  const served: ((core: AnyCalls) => void)[] = []

  const present = async () => core ?? new Promise<AnyCalls>(resolve => served.push(resolve))

  function attached(): AnyCalls {
    if (!core || attachedTo !== core)
      throw new Fault('core_lost', 'a call expected its page to have attached to the present core')
    return core
  }

  async function attach(hello: Hello, port: AnyPort): Promise<AttachedTo<any>> {
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
    calls: { ...forwardCalls<AnyCalls>(namesOfCore(table) as (keyof AnyCalls)[], attached), attach },
    serve(next) {
      core = next
      attachedTo = undefined
      if (next) for (const goOn of served.splice(0)) goOn(next)
    },
    now: () => core,
  }
}
