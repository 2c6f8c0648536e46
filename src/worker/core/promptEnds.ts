/** The ends that the core itself gives to a request to a wallet, in place of the page's answer. */
import { setAsideMessage } from '../../runtime/core/createQuarantine.ts'
import type { Failure, FailureCode } from '../../runtime/failure.ts'

const promptEnds = {
  noPage: { code: 'wallet_gone', message: 'a wallet request expected a page to show it, there is none' },
  refused: { code: 'wallet_gone', message: 'the page could not take the wallet request' },
  lacking: { code: 'expired', message: 'a wallet request expected its bytes to be kept, they are gone' },
  tabClosed: { code: 'wallet_gone', message: 'the tab that was asked is closed' },
  // The wallet did answer: whatever it signed may be sent, so nothing but the chain can say how that ends
  setAside: { code: 'wallet_gone', message: setAsideMessage },
} satisfies Record<string, Failure>

/** Codes of these ends. */
export const ownEnds: ReadonlySet<FailureCode> = new Set(Object.values(promptEnds).map(({ code }) => code))

/** @returns the input that ends a request to a wallet */
export function promptEnd(why: keyof typeof promptEnds): { type: 'wallet.failed'; data: { failure: Failure } } {
  return { type: 'wallet.failed', data: { failure: { ...promptEnds[why] } } }
}
