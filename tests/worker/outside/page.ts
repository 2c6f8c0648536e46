/** A page with an installed wallet. It keeps each answer until the core has it, and dies only with its reload. */
import type { EffectData } from '../../../src/events/effect.ts'
import type { InputData } from '../../../src/worker/context.ts'
import { account } from '../story.ts'
import type { Chain } from './chain.ts'
import type { Queue } from './queue.ts'

const approveMs = 1500

type Answer = { type: string; data: Record<string, unknown> }
type Kept = { answer?: Answer; taken: boolean }

export type Hands = 'signTransaction' | 'signAndSendTransaction'

/** @param deliver hands an answer to the core; false when it did not reach the disk */
export function createPage(
  queue: Queue,
  chain: Chain,
  hands: Hands,
  deliver: (effectId: string, answer: Answer, tab: string) => boolean,
) {
  let count = 1
  let kept = new Map<string, Kept>()
  const prompts: string[] = []

  const tab = () => `t-${count}`

  function hand(effectId: string): void {
    const one = kept.get(effectId)
    if (one?.answer && !one.taken) one.taken = deliver(effectId, one.answer, tab())
  }

  function settle(effectId: string, of: string, answer: Answer): void {
    const one = kept.get(effectId)
    if (of !== tab() || !one || one.answer) return
    one.answer = answer
    hand(effectId)
  }

  return {
    prompts,
    tab,
    /** The page is loaded anew: what it held is gone, what a wallet shows stays on the wallet's own screen. */
    reload(): void {
      count += 1
      kept = new Map()
    },
    hello(): InputData<'page.attached'> {
      const idsOf = (which: (one: Kept) => boolean) => [...kept].filter(([, one]) => which(one)).map(([id]) => id)
      return {
        visible: true,
        asking: idsOf(one => !one.answer),
        answered: idsOf(one => one.answer !== undefined && !one.taken),
      }
    },
    redeliver(): void {
      for (const effectId of kept.keys()) hand(effectId)
    },
    perform(effectId: string, type: string, data: never): void {
      const of = tab()
      if (type === 'wallet.watch' || type === 'wallet.disconnect' || kept.has(effectId)) return
      kept.set(effectId, { taken: false })
      if (type === 'wallet.connect') {
        const { silent } = data as EffectData['wallet.connect']
        const answer = { type: 'wallet.connected', data: { accounts: [account], features: [hands] } }
        queue.after(silent ? 20 : 800, 'page', () => settle(effectId, of, answer))
        return
      }
      prompts.push(effectId)
      const { bytesRef } = data as EffectData['wallet.signTransaction']
      // A wallet's own window outlives the page
      queue.after(approveMs, 'outside', () => {
        if (type === 'wallet.signTransaction') {
          settle(effectId, of, { type: 'wallet.signed', data: chain.signed(bytesRef) })
          return
        }
        settle(effectId, of, { type: 'wallet.sent', data: { signature: chain.send(bytesRef) } })
      })
    },
  }
}
