/** Readings of the Blockchain API for the account screens, asked again while somebody looks. */
import { useEffect } from 'react'
import { activeConnection } from '../../events/subjects/connection.ts'
import type { ServiceAsk } from '../../events/subjects/service.ts'
import { networks } from '../../events/values/networks.ts'
import { useCommand, useModel, useSurroundings } from '../react.tsx'
import { nextAskAt, serviceAnswerOf } from './serviceReads.ts'
import { tokensOf } from './tokens.ts'

/** How often a page looks whether the balances are due, ms. */
const lookMs = 5000

/** @returns the balances to ask for; undefined without an account, and on a network that is not public */
function useBalanceAsk(): Extract<ServiceAsk, { call: 'balance' }> | undefined {
  const address = useModel(model => activeConnection(model)?.account)
  const chainId = useModel(({ network }) => (network.phase === 'identified' ? network.caip2 : undefined))
  if (!networks.some(({ caip2 }) => caip2 === chainId)) return undefined
  return address === undefined || chainId === undefined ? undefined : { call: 'balance', address, chainId }
}

/** @returns the tokens of the active account on the active network; undefined until they were read */
export function useTokens(): ReturnType<typeof tokensOf> | undefined {
  const ask = useBalanceAsk()
  const service = useModel(model => model.service)
  const command = useCommand()
  const { now } = useSurroundings()
  const dueAt = ask && nextAskAt(service, ask)
  const { address, chainId } = ask ?? {}
  useEffect(() => {
    if (dueAt === undefined || address === undefined || chainId === undefined) return
    const look = () => {
      if (document.visibilityState === 'visible' && now() >= dueAt)
        command({ type: 'service.ask', data: { ask: { call: 'balance', address, chainId } } })
    }
    look()
    const timer = setInterval(look, lookMs)
    return () => clearInterval(timer)
  }, [dueAt, address, chainId, command, now])
  const answer = ask && serviceAnswerOf(service, ask)
  return answer && chainId !== undefined ? tokensOf(answer, chainId) : undefined
}
