/** A host's choice of another network. */
import { currentId } from '../../events/values/networks.ts'
import { Fault } from '../../runtime/failure.ts'
import { withinTime } from '../../runtime/withinTime.ts'
import type { Surroundings } from '../../ui/react.tsx'

const switchMs = 30_000

/**
 * Resolves once the core works on the network, at once when it does already.
 *
 * @throws Fault `unsupported` without networks to choose from, or when the wallet cannot go along; `bad_input` for a network that
 *   is none of them; `busy` while money is on its way; `timeout` after 30 s
 */
export async function switchNetwork({ store, command }: Pick<Surroundings, 'store' | 'command'>, caip2: string) {
  const wanted = currentId(caip2)
  const { offer, change } = store.model().network
  let before = change
  if (!offer)
    throw new Fault('unsupported', 'switchNetwork expected networks in the config to choose from, there are none')
  if (offer.active === wanted) return
  let stop = () => undefined as void
  const over = new Promise<void>((resolve, reject) => {
    stop = store.subscribe(() => {
      const { network } = store.model()
      if (network.offer?.active === wanted) return resolve()
      const { change } = network
      if (change === before) return
      before = undefined
      if (change?.caip2 !== wanted || !change.failure) return
      const { code, message } = change.failure
      if (code === 'bad_input')
        console.error(
          `APKT001: ${message}. switchNetwork expected one of the config’s networks, got ${caip2.slice(0, 100)}`,
        )
      reject(new Fault(code, message))
    })
  })
  command({ type: 'network.switch', data: { caip2 } })
  try {
    await withinTime(over, switchMs, () => {
      throw new Fault('timeout', `switchNetwork expected the network within ${switchMs / 1000} s, it did not come`)
    })
  } finally {
    stop()
  }
}
