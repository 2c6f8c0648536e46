/** A recording of any length, made by the real core: a visitor who stays, connects and disconnects repeatedly. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { account, createLog, recordingOf } from '../events/recordedLog.ts'
import type { InputRecord } from '../../src/runtime/log/record.ts'
import { root } from './builds.ts'

const tab = 't1'
const wallet = { walletId: 'w1', name: 'Lantern' }

/**
 * @param facts minimum number of core facts
 * @returns the file's text; it re-executes strictly
 */
export async function longRecording(facts: number): Promise<string> {
  const log = createLog()
  log.page('tab.opened', { width: 1280, theme: 'light', language: 'en' }, { life: 0, after: 0 })
  let poll = ''
  for (const { type, data, to } of beginning()) {
    const ordered = log.input({ type, data, ...(to === undefined ? {} : { to }), tab })
    poll = ordered['timer.set'] ?? poll
  }
  log.page('tab.attached', { life: 1 })
  for (let round = 0; log.core.seq < facts; round++) {
    for (let again = 0; again < 5; again++) poll = pollSale(log, poll, round * 5 + again)
    log.page('screen.opened', { screen: { name: 'Connect' } })
    const ref = `${tab}.c${round + 1}`
    const asked = log.input({ type: 'connection.connectInstalled', data: { walletKey: 'k1', wallet }, tab, ref })
    log.page('screen.shown', { screen: { name: 'ConnectingInstalled', wallet, walletKey: 'k1' } })
    const answer = { accounts: [account], features: ['signTransaction'] }
    const joined = log.input({ type: 'wallet.connected', data: answer, to: asked['wallet.connect'] ?? '', tab })
    log.page('screen.closed', {})
    // Every effect is answered: pending ones would accumulate and slow the core's steps
    const balances = { account, slot: 6000 + round, amounts: { SOL: String(round * 1000) } }
    log.input({ type: 'chain.balances', data: balances, to: joined['chain.readBalances'] ?? '' })
    const none = { account, purchases: [] }
    log.input({ type: 'chain.purchases', data: none, to: joined['chain.readPurchases'] ?? '' })
    const [connectionId = ''] = Object.keys(log.core.model.connection.made)
    log.input({ type: 'connection.disconnect', data: { connectionId }, tab, ref: `${ref}.end` })
  }
  return recordingOf(log.lines)
}

/** First inputs of a recorded visit: boot and reading of the sale. */
function beginning(): InputRecord[] {
  const file = join(root, 'tests/replay/recordings/connect-installed-buy-sol.jsonl')
  const inputs = readFileSync(file, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('{"k":"i"'))
    .map(line => JSON.parse(line) as InputRecord)
  return inputs.slice(
    0,
    inputs.findIndex(({ type }) => type === 'listing.read'),
  )
}

/** A round of the sale's poll. @returns the timer of the next one */
function pollSale(log: ReturnType<typeof createLog>, to: string, round: number): string {
  const { 'chain.readSale': read = '' } = log.input({ type: 'timer.fired', data: { timerId: 'sale:poll' }, to })
  const sale = {
    slot: 6000 + round,
    chainTime: 1_795_260_700_000 + round * 1000,
    balances: { SOL: String(889_550_890_880 + round * 1_000_000), USDC: '144787500000' },
  }
  return log.input({ type: 'chain.sale', data: sale, to: read })['timer.set'] ?? ''
}
