/**
 * The code that is made while the list of wallets is shown on a phone. A browser opens an app only within a press, so the code has
 * to be here before it.
 */
import { useEffect } from 'react'
import type { Model } from '../../../events/app.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import type { Store } from '../../store.ts'
import { isPhone } from '../../isPhone.ts'
import { plainWalletConnect } from '../list/directory.ts'

type Code = { topic: string; uri: string }

const codes = new WeakMap<Store, Code>()
/** The last opening of a link by a press on a row or by itself: topic of the code, wallet and way. */
const opened = new WeakMap<Store, string>()

/** @returns the topic of the code that a wallet can answer now */
function topicOf({ connection: { attempt }, pairing: { shown, open } }: Model): string | undefined {
  const pairing = shown === null ? undefined : open[shown]
  const isAnswerable = pairing?.phase === 'created' || pairing?.phase === 'proposed'
  return isAnswerable && attempt.phase === 'asking' && attempt.attemptId === pairing.attemptId
    ? pairing.pairingTopic
    : undefined
}

/** On a phone: has a code made and read ahead of the press. An attempt under way is left alone. */
export function usePrepared(): void {
  const { store, command, pairingUri } = useSurroundings()
  const topic = useModel(topicOf)
  useEffect(() => {
    if (isPhone() && store.model().connection.attempt.phase !== 'asking')
      command({ type: 'connection.connectWalletConnect', data: { wallet: plainWalletConnect, share: true } })
  }, [store, command])
  useEffect(() => {
    if (topic === undefined || !isPhone()) return
    pairingUri(topic).then(
      uri => void (uri !== undefined && codes.set(store, { topic, uri })),
      () => undefined,
    )
  }, [store, topic, pairingUri])
}

/** @returns the code, if it is here and can be answered */
export function preparedCode(store: Store): Code | undefined {
  const code = codes.get(store)
  return code && code.topic === topicOf(store.model()) ? code : undefined
}

/** @returns whether this is the first opening of the wallet with this code on this way; notes it */
export function opensFirst(store: Store, topic: string, way: string): boolean {
  const opening = `${topic} ${way}`
  if (opened.get(store) === opening) return false
  opened.set(store, opening)
  return true
}
