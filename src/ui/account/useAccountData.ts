/** Readings of the Blockchain API for the account screens, asked again while somebody looks. */
import { useEffect, useState } from 'react'
import { activeConnection } from '../../events/subjects/wallet/activeConnection.ts'
import { askKey, type ServiceAsk } from '../../events/subjects/service/service.ts'
import { networks } from '../../events/values/networks.ts'
import { own } from '../../runtime/schema/own.ts'
import { useCommand, useModel, useSurroundings } from '../react.tsx'
import { historyOf } from './activity/history.ts'
import { entryOf, isElsewhere, isStandIn, nextAskAt, serviceAnswerOf } from './serviceReads.ts'
import { tokensOf } from './holdings/tokens.ts'

/** How often a page looks whether an answer is due, ms. */
const lookMs = 5000

type Repeated = Extract<ServiceAsk, { call: 'balance' | 'history' }>

/** The active account on the network of this page; undefined without one, and on a network that is not public. */
function useAccountHere(): { address: string; chainId: string } | undefined {
  const address = useModel(model => activeConnection(model)?.account)
  const chainId = useModel(({ network }) => (network.phase === 'identified' ? network.caip2 : undefined))
  if (address === undefined || chainId === undefined) return undefined
  return networks.some(({ caip2 }) => caip2 === chainId) ? { address, chainId } : undefined
}

/** @returns when the amounts that the sale's readings know of an account changed last, ms since the Unix epoch; 0 before */
function useChangedAt(account: string | undefined): number {
  const amounts = useModel(({ balance }) => account && JSON.stringify(own(balance, account)?.amounts))
  const { now } = useSurroundings()
  const [seen, setSeen] = useState({ amounts, changedAt: 0 })
  if (amounts !== seen.amounts)
    setSeen({ amounts, changedAt: seen.amounts === undefined ? seen.changedAt : Math.floor(now()) })
  return seen.changedAt
}

/** Asks now, and again whenever the answer is due while the page is visible. */
function useRepeated(ask: Repeated | undefined): void {
  const service = useModel(model => model.service)
  const command = useCommand()
  const { now } = useSurroundings()
  const changedAt = useChangedAt(ask?.address)
  const dueAt = ask && nextAskAt(service, ask, changedAt)
  const text = ask && JSON.stringify(ask)
  useEffect(() => {
    if (dueAt === undefined || text === undefined) return
    const look = () => {
      if (document.visibilityState === 'visible' && now() >= dueAt)
        command({ type: 'service.ask', data: { ask: JSON.parse(text) } })
    }
    look()
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [dueAt, text, command, now])
}

type Tokens =
  | { phase: 'none' | 'reading' }
  | { phase: 'failed'; again: () => void }
  | ({ phase: 'read' } & ReturnType<typeof tokensOf>)

/**
 * @returns the tokens of the active account on the active network. `none`: no service knows the network; `failed` is a reading
 *   that failed before any other, or an answer that stands in for one; `again` reads the chain's own anew, too
 */
export function useTokens(): Tokens {
  const here = useAccountHere()
  const ask = here && ({ call: 'balance', ...here } as const)
  useRepeated(ask)
  const service = useModel(model => model.service)
  const command = useCommand()
  if (!ask) return { phase: 'none' }
  const again = () => {
    command({ type: 'service.ask', data: { ask } })
    command({ type: 'balance.refresh', data: {} })
  }
  const entry = entryOf(service, ask)
  if (isElsewhere(entry)) return { phase: 'none' }
  if (entry && isStandIn(entry)) return { phase: 'failed', again }
  const answer = serviceAnswerOf(service, ask)
  if (answer) return { phase: 'read', ...tokensOf(answer, ask.chainId) }
  return entry?.failure && !entry.isAsked ? { phase: 'failed', again } : { phase: 'reading' }
}

/** @returns the history of the active account on the active network, and what asks for more; undefined where the API serves none */
export function useHistory() {
  const here = useAccountHere()
  const ask = here && ({ call: 'history', ...here } as const)
  useRepeated(ask)
  const service = useModel(model => model.service)
  const command = useCommand()
  if (!here || !ask || isElsewhere(entryOf(service, ask))) return undefined
  const history = historyOf(service, here)
  const { next } = history
  return {
    ...history,
    isUnread: !Object.hasOwn(service, askKey(ask)),
    again: () => command({ type: 'service.ask', data: { ask } }),
    older: next && (() => command({ type: 'service.ask', data: { ask: next } })),
  }
}
