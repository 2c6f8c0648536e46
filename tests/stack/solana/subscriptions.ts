import type { Commitment } from './blocks.ts'
import { toJson } from './bytes.ts'
import type { Chain, ChainEvent } from './chain.ts'
import { accountJson } from './encode.ts'
import { invalidParams, RpcError } from './errors.ts'
import { addressParam, commitmentOf, type Config, configParam, signatureParam } from './methods/params.ts'
import { readMint } from './tokens.ts'

/** Sends one notification, already as text, to one socket. */
export type Notify = (text: string) => void

/** The subscriptions of one socket. */
export type Subscriptions = {
  /** whether this is a method of this kind at all */
  knows(method: string): boolean
  /** answers the result; `after` must be called once the answer was sent, and may notify at once */
  handle(method: string, params: unknown[]): { result: unknown; after(): void }
  close(): void
}

type Live = { id: number; onEvent(event: ChainEvent | undefined): void }

const SUBSCRIBES = ['accountSubscribe', 'signatureSubscribe', 'logsSubscribe', 'slotSubscribe', 'rootSubscribe']

/** @param nextId gives ids unique over all sockets of a server */
export function createSubscriptions(chain: Chain, notify: Notify, nextId: () => number): Subscriptions {
  const live = new Map<number, Live>()
  const stop = chain.listen(event => {
    for (const subscription of live.values()) {
      try {
        subscription.onEvent(event)
      } catch {
        // An account may outgrow the subscribed encoding; the chain must not stop for that.
        live.delete(subscription.id)
      }
    }
  })
  const tell = (method: string, id: number, result: unknown) =>
    notify(toJson({ jsonrpc: '2.0', method, params: { result, subscription: id } }))

  const makers: Record<string, (id: number, params: unknown[]) => Live['onEvent']> = {
    slotSubscribe: id => event => {
      if (event?.kind !== 'slot') return
      const { slot, parent } = event.block
      tell('slotNotification', id, { slot, parent, root: chain.blocks.seen('finalized').slot })
    },
    rootSubscribe: id => event => {
      if (event?.kind === 'slot') tell('rootNotification', id, chain.blocks.seen('finalized').slot)
    },
    signatureSubscribe(id, params) {
      const signature = signatureParam(params[0])
      const config = configParam(params[1])
      const commitment = commitmentOf(config)
      let received = config.enableReceivedNotification !== true
      return () => {
        const record = chain.ledger.get(signature)
        if (!record) return
        if (!received) {
          received = true
          const context = { slot: record.slot }
          tell('signatureNotification', id, { context, value: 'receivedSignature' })
        }
        const { slot } = chain.blocks.seen(commitment)
        if (record.slot > slot) return
        live.delete(id)
        tell('signatureNotification', id, { context: { slot }, value: { err: record.err } })
      }
    },
    logsSubscribe(id, params) {
      const mentioned = mentionParam(params[0])
      const commitment = commitmentOf(configParam(params[1]))
      const news = newlySeen(chain, commitment)
      return event => {
        for (const record of news(event)) {
          if (mentioned && !record.addresses.includes(mentioned)) continue
          const value = { signature: record.signature, err: record.err, logs: record.logs }
          tell('logsNotification', id, { context: { slot: record.slot }, value })
        }
      }
    },
    accountSubscribe(id, params) {
      const address = addressParam(params[0])
      const config: Config = configParam(params[1])
      const commitment = commitmentOf(config)
      const news = newlySeen(chain, commitment)
      const shown = () => {
        const block = chain.blocks.seen(commitment)
        const decimalsOf = (mint: string) => readMint(chain.accounts.at(mint, block))?.decimals ?? 0
        const value = accountJson(address, chain.accounts.at(address, block), config, decimalsOf)
        return { context: { slot: block.slot }, value }
      }
      let last = toJson(shown().value)
      return event => {
        const isTouched = news(event).some(record => record.addresses.includes(address))
        if (!isTouched && event?.kind !== 'fork') return
        const { context, value } = shown()
        if (toJson(value) === last) return
        last = toJson(value)
        // A closed account is notified as one without lamports, since clients read its fields.
        const gone = {
          data: ['', 'base64'],
          executable: false,
          lamports: 0,
          owner: '1'.repeat(32),
          rentEpoch: 0,
          space: 0,
        }
        tell('accountNotification', id, { context, value: value ?? gone })
      }
    },
  }
  return {
    knows: method => SUBSCRIBES.includes(method) || SUBSCRIBES.includes(method.replace('Unsubscribe', 'Subscribe')),
    handle(method, params) {
      const maker = Object.hasOwn(makers, method) ? makers[method] : undefined
      if (!maker) {
        const id = params[0]
        if (typeof id !== 'number' || !live.delete(id)) throw invalidParams('Invalid subscription id.')
        return { result: true, after: () => {} }
      }
      if (live.size >= 1_000)
        throw new RpcError(-32603, 'Internal Error: Subscription refused. Node subscription limit reached')
      const id = nextId()
      const onEvent = maker(id, params)
      live.set(id, { id, onEvent })
      // A level already reached is notified at once, but after the id, which the client needs first.
      return { result: id, after: () => live.get(id)?.onEvent(undefined) }
    },
    close() {
      stop()
      live.clear()
    },
  }
}

/** Transactions that became visible at a commitment since the last call; after a fork those of its slots are new again. */
function newlySeen(chain: Chain, commitment: Commitment) {
  const past = (slot: number) => {
    const all = chain.ledger.all()
    let place = all.length
    while (place > 0 && (all[place - 1]?.slot ?? 0) > slot) place--
    return place
  }
  let next = past(chain.blocks.seen(commitment).slot)
  return (event: ChainEvent | undefined) => {
    if (event?.kind === 'fork') next = Math.min(next, past(event.kept.slot))
    const until = past(chain.blocks.seen(commitment).slot)
    const news = chain.ledger.all().slice(next, until)
    next = Math.max(next, until)
    return news
  }
}

function mentionParam(filter: unknown): string | undefined {
  if (filter === 'all' || filter === 'allWithVotes') return undefined
  const { mentions } = configParam(filter)
  if (!Array.isArray(mentions) || mentions.length !== 1)
    throw invalidParams('Invalid Request: Only 1 address supported')
  return addressParam(mentions[0])
}
