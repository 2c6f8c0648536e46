import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import type { WalletRef } from '../../../events/schema/fields.ts'
import type { Attempt } from '../../../events/subjects/wallet/connection.ts'
import type { Pairing } from '../../../events/subjects/session/pairing.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { isPhone } from '../../isPhone.ts'

/** @returns the current attempt to connect this wallet by a code */
function attemptOf(model: Model, wallet: WalletRef): Exclude<Attempt, { phase: 'none' }> | undefined {
  const { attempt } = model.connection
  const mine = attempt.phase !== 'none' && attempt.connector === 'walletConnect'
  return mine && attempt.wallet.walletId === wallet.walletId ? attempt : undefined
}

/** @returns the pairing whose code is shown for this wallet */
function pairingOf(model: Model, wallet: WalletRef): Pairing | undefined {
  const { shown, open } = model.pairing
  const pairing = shown === null ? undefined : open[shown]
  return pairing && pairing.attemptId === attemptOf(model, wallet)?.attemptId ? pairing : undefined
}

/**
 * The attempt to connect a wallet by a code, and the code itself. Requests one on mount unless one for this wallet is pending.
 * `uri` is `undefined` until it has loaded and `'gone'` if this device no longer holds it.
 */
export function usePairing(wallet: WalletRef) {
  const { store, command, pairingUri } = useSurroundings()
  const attempt = useModel(model => attemptOf(model, wallet))
  const pairing = useModel(model => pairingOf(model, wallet))
  const life = useModel(model => (model.tab.phase === 'attached' ? model.tab.life : 0))
  const [read, setRead] = useState<{ topic: string; uri: string | undefined }>()
  const topic = pairing?.pairingTopic

  const ask = () => command({ type: 'connection.connectWalletConnect', data: { wallet } })
  const entered = useRef(false)
  const enter = useEffectEvent(() => {
    const model = store.model()
    if (attemptOf(model, wallet)?.phase === 'asking' && pairingOf(model, wallet)) return
    // On a phone a code was made with the list
    command({ type: 'connection.connectWalletConnect', data: { wallet, ...(isPhone() && { share: true }) } })
  })
  // on mount only: another wallet is another screen
  useEffect(() => {
    if (entered.current) return
    entered.current = true
    enter()
  }, [])

  // a new life of the core may hold a code that the last one lacked
  useEffect(() => {
    if (topic === undefined) return
    let current = true
    const take = (uri: string | undefined) => {
      if (current) setRead(before => (before?.topic === topic && before.uri !== undefined ? before : { topic, uri }))
    }
    pairingUri(topic).then(take, () => take(undefined))
    return () => {
      current = false
    }
  }, [topic, life, pairingUri])

  const uri = read === undefined || read.topic !== topic ? undefined : (read.uri ?? ('gone' as const))
  return { attempt, pairing, uri, ask }
}
