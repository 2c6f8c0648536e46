import { useCallback, useEffect, useMemo } from 'react'
import { isSolanaAddress } from '../../../events/values/solana/address.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import type { Balance } from '../../../events/subjects/sale/balance.ts'
import { own } from '../../../runtime/schema/own.ts'
import { useCommand, useModel } from '../../react.tsx'
import type { HeldToken } from '../holdings/tokens.ts'
import { useTokens } from '../useAccountData.ts'
import { type Sendable, sendablesOf } from './sendable.ts'

const unnamed: HeldToken[] = []

/** Tokens that the active account can send. `balance.tokens` is absent before the first reading. */
export type Sendables = { all: Sendable[]; account: string; balance: Balance | undefined; readAgain: () => void }

/**
 * Reads the tokens of the active account when a screen about them opens, and names those that a service knows.
 *
 * @param asset a mint that the reading has to include: of many tokens it has only the largest amounts
 */
export function useSendables(asset = ''): Sendables {
  const command = useCommand()
  const account = useModel(model => activeConnection(model)?.account) ?? ''
  const balance = useModel(model => own(model.balance, account))
  const known = useTokens()
  const named = 'tokens' in known ? known.tokens : unnamed
  const readAgain = useCallback(
    () => command({ type: 'send.open', data: isSolanaAddress(asset) ? { mint: asset } : {} }),
    [asset, command],
  )
  useEffect(() => {
    if (account !== '') readAgain()
  }, [account, readAgain])
  const all = useMemo(() => sendablesOf(balance, named), [balance, named])
  return { all, account, balance, readAgain }
}
