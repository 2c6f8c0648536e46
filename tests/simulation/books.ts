/** The sale's books as a simulated driver recomputes them: in steps, held by a pause, refused or different now and then. */
import type { EffectData } from '../../src/events/effect.ts'
import type { Terms } from '../../src/events/sale/terms/termsShape.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import type { Answered, Chain } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Queue } from './runtime/queue.ts'

type Ports = { queue: Queue; dice: Dice; chain: Chain; now(): number; online(): boolean; take(input: Answered): void }
type Running = {
  asked: EffectData['ledger.compute']
  judged: number
  isHeld: boolean
  answer: (input: Answered) => void
}

type Part = NonNullable<InputData<'ledger.found'>['accounted']>[number]

const listed = 40
const step = 10
const stepMs = 900

const failed = (code: 'elsewhere' | 'rpc_lying' | 'offline'): Answered => ({
  type: 'effect.failed',
  data: { failure: { code, message: 'the books expected to be computed, they were not' } },
})

export function createBooks({ queue, dice, chain, now, online, take }: Ports) {
  let running: Running | undefined

  function end(input: Answered): void {
    running?.answer(input)
    running = undefined
  }

  function next(of: Running): void {
    queue.after(stepMs, 'worker', () => {
      if (of !== running) return
      // A person who paused may never come back: the world has to come to rest
      if (of.isHeld && !dice.isCalm()) return next(of)
      if (!online()) return end(failed('offline'))
      of.judged += step
      if (of.judged < listed) {
        take({ type: 'ledger.computing', data: { listed, judged: of.judged } })
        return next(of)
      }
      if (!dice.isCalm() && dice.chance('the books have a gap', 0.15)) return end(failed('rpc_lying'))
      return end({ type: 'ledger.found', data: found(of.asked) })
    })
  }

  function found({ accounts, terms }: EffectData['ledger.compute']): InputData<'ledger.found'> {
    const books = {
      slot: 1000,
      raised: '0',
      pos: '0',
      tokens: '0',
      orders: 0,
      buyers: 0,
      refundsOwed: {},
      balances: {},
      hash: 'ab'.repeat(32),
    }
    const published =
      !dice.isCalm() && dice.chance('the operator tells other figures', 0.1) ? { ...books, raised: '1' } : books
    const compared = { published, publishedTime: now() - 60_000, recomputed: books }
    const more = dice.chance('figures are published', 0.7) ? compared : {}
    const left = 'published' in more ? { outflows: { SOL: '5000' } } : {}
    const accounted = 'published' in more ? accounts.map(account => partOf(account, terms)) : []
    return { ...books, time: now(), transactions: listed, outcome: 'open', ...more, ...left, accounted }
  }

  function partOf(account: string, { assets }: Terms): Part {
    const { slot, payments } = chain.finalOf(account)
    const rows = payments.map(({ orderId: _, quoted: tokens, ...paid }): Part['rows'][number] => {
      // Another computation may judge otherwise, as after a change that a person confirmed
      if (!dice.isCalm() && dice.chance('the books refuse a payment', 0.2))
        return { ...paid, accepted: '0', tokens: '0', status: 'price_protect' }
      if (!dice.isCalm() && dice.chance('the books take a part', 0.1))
        return { ...paid, accepted: String(BigInt(paid.units) / 2n), tokens, status: 'partial' }
      return { ...paid, accepted: paid.units, tokens, status: 'accepted' }
    })
    const places = rows.map((_, place) => String(place))
    const rates = rows.map(({ asset, accepted }) => {
      const listed = assets.find(({ symbol }) => symbol === asset)
      return accepted === '0' ? '0' : (listed?.creditsPerUnit ?? '0')
    })
    return { account, slot, time: now() - 60_000, bonus: '0', rows, places, rates }
  }

  return {
    compute(asked: EffectData['ledger.compute'], answer: (input: Answered) => void): void {
      end(failed('elsewhere'))
      const own: Running = { asked, judged: 0, isHeld: false, answer }
      running = own
      take({ type: 'ledger.computing', data: { listed, judged: 0 } })
      next(own)
    },
    steer({ act }: EffectData['ledger.steer']): void {
      if (!running) return
      running.isHeld = act === 'pause'
      if (act === 'stop') end(failed('elsewhere'))
    },
  }
}
