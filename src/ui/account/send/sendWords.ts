/** States and refusals of a transfer as sentences for people. */
import type { Failure } from '../../../runtime/failure.ts'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { own } from '../../../runtime/schema/own.ts'
import {
  agreedByAll,
  askOf,
  failureOf,
  isAlarm,
  isBeforeWallet,
  isOnlySaid,
  isPaid,
  mayBeNamedLate,
  type SendOrder,
  walletOf,
} from '../../../events/subjects/order/order.ts'
import { isBaseUnits } from '../../../events/values/amount.ts'
import { amountsIn } from '../../texts/amounts.ts'
import type { Language } from '../../texts/language.tsx'
import type { SendTexts } from '../../texts/send/en.ts'

/** `next`: the one step that leads on. */
type SendState = {
  title: string
  sentence: string
  came?: 'declined' | 'expired' | 'failed' | 'done'
  next: 'approve' | 'wait' | 'done' | 'again' | 'read'
}

/** @returns how a transfer stands */
export function stateOf(t: SendTexts, order: SendOrder, symbol: string, language: Language): SendState {
  const { states } = t
  const wallet = walletOf(order)
  const of = ([title, sentence]: readonly [string, string], rest: Omit<SendState, 'title' | 'sentence'>) => ({
    title,
    sentence,
    ...rest,
  })
  if (isAlarm(order)) return of(states.altered, { came: 'failed', next: 'read' })
  if (isPaid(order)) return of(states.final, { came: 'done', next: 'done' })
  if (isBeforeWallet(order) && order.phase !== 'pressAwaited') return of(states.checking, { next: 'wait' })
  switch (order.phase) {
    case 'pressAwaited':
      return of([t.approveIn(wallet), t.readAgain], { next: 'approve' })
    case 'awaitingSignature':
      return of([t.approveIn(wallet), t.lookInWallet(wallet)], { next: 'wait' })
    case 'signed':
    case 'sending':
      return of(states.sending, { next: 'wait' })
    case 'seen':
      return of(states.seen, { next: 'wait' })
    case 'confirmed':
      return of(states.confirmed, { came: 'done', next: 'done' })
    case 'expired': {
      const [title, sentence] = agreedByAll(order) ? states.expired : states.notSeen
      const words = [title, mayBeNamedLate(order) ? t.noAnswer(wallet) : sentence] as const
      return of(words, { came: 'expired', next: 'again' })
    }
    case 'failedOnChain':
      return of(states.failed, { came: 'failed', next: 'again' })
    case 'unknown':
      return order.signed
        ? of(states.mayArrive, { next: 'wait' })
        : of([states.mayArrive[0], t.noAnswer(wallet)], { next: 'wait' })
    default: {
      if (failureOf(order)?.code === 'user_rejected' && askOf(order)) {
        const [title, sentence] = states.declined
        const words = [title, isOnlySaid(order) ? t.saysNotSent(wallet) : sentence] as const
        return of(words, { came: 'declined', next: 'again' })
      }
      if (failureOf(order)?.code === 'wallet_changed_tx') return of(states.changed, { came: 'failed', next: 'again' })
      const why = refusalWords(t, order, symbol, language)
      return of([states.notSent[0], why], { came: 'failed', next: 'again' })
    }
  }
}

/** @returns why the core or the chain refuses a transfer, one sentence */
export function refusalWords(t: SendTexts, order: SendOrder, symbol: string, language: Language): string {
  const failure = failureOf(order)
  if (!failure) return t.reasons.notMade
  const byRule = own<string>(t.rules, String(failure.facts?.rule))
  return byRule ?? byCode(t, order, failure, language)
}

/** One function: a table of words by code. */
function byCode(
  { rules, reasons, tokenShort }: SendTexts,
  order: SendOrder,
  failure: Failure,
  language: Language,
): string {
  const { code, facts } = failure
  const sol = (units: unknown) => (isBaseUnits(units) ? `${amountsIn(language)(units, solDecimals)} SOL` : 'SOL')
  switch (code) {
    case 'insufficient_sol':
      return reasons.notEnoughSol(sol(facts?.short))
    case 'account_not_found':
      return reasons.noSol
    case 'insufficient_token':
      return tokenShort
    case 'no_token_account':
      return rules.TOKEN
    case 'rent':
      return (facts?.whose === 'recipient' ? reasons.neverUsed : reasons.leave)(sol(facts?.minimum))
    case 'unreachable':
    case 'offline':
    case 'timeout':
    case 'rate_limited':
    case 'rpc_lying':
    case 'bad_response':
      return reasons.silent
    case 'wrong_cluster':
      return reasons.wrongNetwork
    case 'expired':
    case 'blockhash_not_found':
      return reasons.tooSlow
    case 'user_rejected':
      return reasons.cancelled
    case 'core_lost':
      return reasons.reloaded
    case 'account_changed':
      return reasons.switchedAccount
    case 'wallet_gone':
    case 'wallet_locked':
      return reasons.notThere(walletOf(order))
    case 'storage_down':
      return rules.STORAGE
    case 'reload_needed':
      return reasons.reload
    case 'decimals':
      return rules.TOKEN_MINT
    case 'simulation_failed':
    case 'compute':
      return order.send.mint === undefined
        ? reasons.refused
        : reasons.tokenRefused([facts?.name ?? code, facts?.custom ?? []].flat().join(' '))
    default:
      return reasons.notMade
  }
}
