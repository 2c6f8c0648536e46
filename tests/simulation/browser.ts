/**
 * Tabs with an installed wallet. A tab stores each answer until the core has persisted it, and loses it only on reload; the
 * wallet's own window outlives the page that opened it.
 */
import type { EffectData } from '../../src/events/effect.ts'
import type { WalletFeature } from '../../src/events/schema/fields.ts'
import type { InputData } from '../../src/worker/core/context.ts'
import { account, other } from '../worker/story.ts'
import { type Build, usual } from './builds.ts'
import type { Answered, Chain } from './chain.ts'
import type { Dice } from './dice.ts'
import type { Answers } from './answers.ts'
import type { Queue } from './runtime/queue.ts'

const approveMs = 1500

type Kept = { answer?: Answered; taken: boolean }
export type Tab = { name: string; build: Build; visible: boolean; kept: Map<string, Kept>; watching: Set<string> }
export type Hands = 'signTransaction' | 'signAndSendTransaction'

type Ports = {
  queue: Queue
  answers: Answers
  dice: Dice
  chain: Chain
  hands: Hands
  /** Whether this tab's page is attached to the core, or may be. */
  isJoined?(tab: Tab): boolean
  /** Delivers an answer to the core. @param stored called once it is on disk @returns false when no core took it */
  deliver(effectId: string | undefined, answer: Answered, tab: string, stored: () => void): boolean
  asked(ref: string): void
  /** Opens a wallet with a message in a link. */
  openWallet(tab: Tab, data: EffectData['link.send']): Answered
}

export function createBrowser({
  queue,
  answers,
  dice,
  chain,
  hands,
  isJoined = () => true,
  deliver,
  asked,
  openWallet,
}: Ports) {
  let count = 0
  let accounts = [account]
  const tabs = new Map<string, Tab>()
  const prompts: string[] = []

  function hand(tab: Tab, effectId: string): void {
    const one = tab.kept.get(effectId)
    if (!one?.answer || one.taken) return
    deliver(effectId, one.answer, tab.name, () => {
      one.taken = true
    })
  }

  function settle(tab: Tab, effectId: string, answer: Answered): void {
    const one = tab.kept.get(effectId)
    // The page is gone, and its pending calls with it
    if (tabs.get(tab.name) !== tab || !one || one.answer) return
    one.answer = answer
    hand(tab, effectId)
    if (dice.strikes('wallet.answersTwice'))
      queue.after(dice.between('again', 0, 5000), 'page', () => {
        if (tabs.get(tab.name) === tab) deliver(effectId, answer, tab.name, () => undefined)
      })
  }

  const refusal = (code: 'user_rejected' | 'wallet_locked' | 'unknown'): Answered => ({
    type: 'wallet.failed',
    data: { failure: { code, message: code } },
  })

  function decide(run: () => void, soonMs = approveMs): void {
    if (dice.strikes('wallet.isSilent')) return
    answers.after(dice.strikes('wallet.isLate') ? dice.between('late', 5000, 300_000) : soonMs, run)
  }

  const features = (): WalletFeature[] => [hands]

  /** The verify service attests a message in a hidden frame; a page waits six seconds for it. */
  function attest(tab: Tab, effectId: string): void {
    const isSilent = dice.strikes('verify.isSilent')
    const isGiven = !isSilent && !dice.strikes('verify.hasNoWord')
    const lateMs = dice.strikes('verify.isLate') ? dice.between('late word', 1000, 6000) : 80
    queue.after(isSilent ? 6000 : lateMs, 'page', () =>
      settle(tab, effectId, { type: 'attest.got', data: { isGiven } }),
    )
  }

  function connect(tab: Tab, effectId: string, { silent }: EffectData['wallet.connect']): void {
    const answer = (): Answered => {
      if (dice.strikes('wallet.isMissing'))
        return { type: 'wallet.failed', data: { failure: { code: 'wallet_gone', message: 'it is not installed' } } }
      if (!silent && dice.strikes('wallet.declines')) return refusal('user_rejected')
      const shared = dice.strikes('wallet.talksNonsense') ? [] : accounts
      return { type: 'wallet.connected', data: { accounts: shared, features: features() } }
    }
    if (!silent) return decide(() => settle(tab, effectId, answer()), 800)
    // A page waits ten seconds for a silent wallet to connect without a prompt
    const isSilent = dice.strikes('wallet.isSilent')
    const none: Answered = { type: 'wallet.connected', data: { accounts: [], features: features() } }
    queue.after(isSilent ? 10_000 : 20, 'page', () => settle(tab, effectId, isSilent ? none : answer()))
  }

  function sign(tab: Tab, effectId: string, type: string, ref: string): void {
    prompts.push(effectId)
    asked(ref)
    decide(() => {
      if (dice.strikes('wallet.declines')) return settle(tab, effectId, refusal('user_rejected'))
      if (dice.strikes('wallet.talksNonsense')) return settle(tab, effectId, refusal('wallet_locked'))
      if (type === 'wallet.signTransaction') {
        return settle(tab, effectId, { type: 'wallet.signed', data: chain.signed(ref) })
      }
      const signature = chain.sendByWallet(ref)
      if (dice.strikes('wallet.failsAfter')) return settle(tab, effectId, refusal('unknown'))
      settle(tab, effectId, { type: 'wallet.sent', data: { signature } })
    })
  }

  return {
    prompts,
    tabs,
    open(build: Build = usual): Tab {
      count += 1
      const tab: Tab = { name: `t-${count}`, build, visible: true, kept: new Map(), watching: new Set() }
      tabs.set(tab.name, tab)
      return tab
    },
    close: (name: string) => void tabs.delete(name),
    /** The first tab whose page the core can use. */
    first: () => [...tabs.values()].find(isJoined),
    hello({ visible, kept }: Tab): InputData<'page.attached'> {
      const idsOf = (which: (one: Kept) => boolean) => [...kept].filter(([, one]) => which(one)).map(([id]) => id)
      return {
        visible,
        asking: idsOf(one => !one.answer),
        answered: idsOf(one => one.answer !== undefined && !one.taken),
      }
    },
    redeliver(tab: Tab): void {
      for (const effectId of tab.kept.keys()) hand(tab, effectId)
    },
    /** The wallet switches accounts or withdraws them; each listening page reports it. */
    change(left: boolean): void {
      const both = accounts[0] === account ? [other, account] : [account, other]
      accounts = dice.chance('shares both accounts', 0.4) ? both : both.slice(0, 1)
      for (const tab of tabs.values())
        for (const connectionId of tab.watching)
          deliver(
            undefined,
            { type: 'wallet.changed', data: { connectionId, accounts: left ? [] : accounts } },
            tab.name,
            () => undefined,
          )
    },
    settleAccount(): void {
      accounts = [account]
    },
    perform(tab: Tab, effectId: string, type: string, data: never): void {
      if (type === 'wallet.watch') return void tab.watching.add((data as EffectData['wallet.watch']).connectionId)
      if (type === 'wallet.disconnect') return tab.watching.clear()
      // One effect opens at most one prompt, however often it is repeated
      if (tab.kept.has(effectId)) return hand(tab, effectId)
      tab.kept.set(effectId, { taken: false })
      if (type === 'wallet.connect') connect(tab, effectId, data)
      else if (type === 'attest.get') attest(tab, effectId)
      else if (type === 'link.open') {
        const answer: Answered = dice.chance('nobody pressed lately', 0.3)
          ? { type: 'link.skipped', data: { why: 'noPress' } }
          : { type: 'link.opened', data: {} }
        queue.after(20, 'page', () => settle(tab, effectId, answer))
      } else if (type === 'link.send') queue.after(20, 'page', () => settle(tab, effectId, openWallet(tab, data)))
      else sign(tab, effectId, type, (data as EffectData['wallet.signTransaction']).bytesRef)
    },
  }
}
export type Browser = ReturnType<typeof createBrowser>
