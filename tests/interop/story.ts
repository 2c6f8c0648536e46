/**
 * All exchanges of a dapp and a wallet, from the code to the end, in sequence. The wallet is the official kit; each step's
 * outcome is checked in our model and in the kit.
 */
import { requestsIn } from '../events/anyRequest.ts'
import { failureOf, isDead, orderKeyOf } from '../../src/events/subjects/order/order.ts'
import { quotePaying } from '../../src/events/sale/quote.ts'
import { baseline, readSale } from '../../src/events/sale/sale.ts'
import type { Model } from '../../src/events/app.ts'
import { seededKeypair } from '../stack/solana/keys.ts'
import { type KitWallet, startKitWallet } from '../stack/wallet/kit.ts'
import { atRelay, type Cast as PlotCast, type Plot, within } from './plot.ts'

type Cast = PlotCast<KitWallet>

/** A second account of the wallet, never used to pay. */
const otherAccount = 'FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT'
const chosen = { walletId: 'walletConnect', name: 'WalletConnect' }
let orders = 0

const active = ({ connection }: Model) => (connection.active === null ? undefined : connection.made[connection.active])

export function topicOf(model: Model): string | undefined {
  return active(model)?.sessionTopic
}

const topic = async ({ dapp, limitMs }: Cast) => dapp.until('a session', topicOf, limitMs)

/** Topic of the code shown for this attempt. */
function codeOf({ pairing: { shown, open }, connection: { attempt } }: Model): string | undefined {
  const pairing = shown === null ? undefined : open[shown]
  return attempt.phase === 'asking' && pairing?.attemptId === attempt.attemptId ? pairing.pairingTopic : undefined
}

/** Shows a code, and lets the wallet scan it. */
async function scan(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  await dapp.command({ type: 'connection.connectWalletConnect', data: { wallet: chosen } })
  const pairing = await dapp.until('a code', codeOf, limitMs)
  await cast.beforeScanning()
  const uri = await dapp.pairingUri(pairing)
  if (uri === undefined || !/^wc:[0-9a-f]{64}@2\?/.test(uri)) throw new Error('the code expected to be a pairing URI')
  await within('the wallet’s pairing', limitMs, wallet.pair(uri))
}

/** The wallet that scanned the code answers a ping before any session exists. */
async function pingCode(cast: Cast): Promise<void> {
  const { dapp, wallet, stack, limitMs } = cast
  wallet.policy.session = 'silent'
  await scan(cast)
  const pairingTopic = await dapp.until('a code', codeOf, limitMs)
  const answers = () => stack.relay.state().tags[1003] ?? 0
  const before = answers()
  await dapp.command({ type: 'pairing.ping', data: { pairingTopic } })
  const isOver = ({ pairing: { open } }: Model) => Object.keys(open[pairingTopic]?.pings ?? { open: 1 }).length === 0
  await dapp.until('the wallet’s answer to a ping', model => answers() > before && isOver(model), limitMs)
  // A proposal shown only later would be answered by the policy of the next steps, and an abandoned code may still settle
  const isOut = ({ outbox }: Model) => !Object.values(outbox).some(({ purpose }) => purpose?.startsWith('propose:'))
  await dapp.until('its proposal to be out', isOut, limitMs)
  await within('the proposal', limitMs, wallet.next('proposal'))
  await dapp.command({ type: 'connection.abandon', data: {} })
}

async function connect(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  wallet.policy.session = 'approve'
  await scan(cast)
  const made = await dapp.until('a connection', active, limitMs)
  if (made.accounts.join() !== wallet.address) throw new Error(`expected the wallet’s account, got ${made.accounts}`)
  // The kit shows and approves a repeated proposal twice: one of its sessions has to be ours
  for (;;) {
    const { topic } = await within('the wallet’s session on our topic', limitMs, wallet.next('settled'))
    if (topic === made.sessionTopic) return
  }
}

async function decline(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  wallet.policy.session = 'decline'
  await scan(cast)
  const failure = await dapp.until(
    'the refusal',
    ({ connection: { attempt } }) => attempt.phase === 'failed' && attempt.failure,
    limitMs,
  )
  if (failure.code !== 'user_rejected')
    throw new Error(`a declined proposal expected user_rejected, got ${failure.code}`)
  await dapp.command({ type: 'connection.abandon', data: {} })
}

const saleOf = ({ sale: { terms, reading, notices } }: Model) => {
  if (terms.phase !== 'read' || !reading || !notices) return undefined
  return {
    terms,
    sale: readSale(terms.terms, notices.checkpoint ?? baseline({}), reading.balances, reading.chainTime, notices),
  }
}

/** Places an order, which requests the wallet's signature. @returns its id */
async function order({ dapp, limitMs }: Cast): Promise<string> {
  const { terms, sale } = await dapp.until('the sale', saleOf, limitMs)
  const quote = quotePaying(terms.terms, { pos: sale.pos, time: sale.time }, 'SOL', '250000000')
  orders += 1
  const orderKey = orders.toString(16).padStart(16, '0')
  await dapp.command({
    type: 'order.place',
    data: {
      orderKey,
      asset: 'SOL',
      units: '250000000',
      quoted: quote.tokens,
      min: quote.min,
      termsHash: terms.termsHash,
      acknowledged: terms.terms.legal.acknowledge,
    },
  })
  const placed = await dapp.until(
    'the order',
    model => Object.values(model.order).find(one => orderKeyOf(one) === orderKey),
    limitMs,
  )
  return placed.orderId
}

async function sign(cast: Cast): Promise<void> {
  const { dapp, wallet, stack, limitMs } = cast
  wallet.policy.request = 'approve'
  const orderId = await order(cast)
  const seen = await dapp.until(
    'the payment',
    ({ order }) => {
      const one = order[orderId]
      return one && (one.phase === 'seen' || isDead(one)) && one
    },
    limitMs,
  )
  if (isDead(seen))
    throw new Error(`a signed order expected to be paid, it is ${seen.phase}: ${failureOf(seen)?.message}`)
  stack.solana.chain.advance(40)
  await dapp.until('finality', ({ order }) => order[orderId]?.phase === 'finalised', 30_000)
  const requests = await dapp.until('the answer', ({ request }) => Object.values(request), limitMs)
  if (requests.some(({ phase }) => phase !== 'ended'))
    throw new Error('a request expected to have ended with its answer')
}

async function refuse(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  wallet.policy.request = 'decline'
  const orderId = await order(cast)
  const dead = await dapp.until(
    'the refusal',
    ({ order }) => {
      const one = order[orderId]
      return one && isDead(one) && one
    },
    limitMs,
  )
  if (failureOf(dead)?.code !== 'user_rejected')
    throw new Error(`a refusal expected user_rejected, got ${failureOf(dead)?.code}`)
  await dapp.command({ type: 'order.dismiss', data: { orderId } })
}

/** The page requests a signature itself, as through the provider. */
async function ask(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  wallet.policy.request = 'approve'
  const sessionTopic = await topic(cast)
  const chainId = await chainOf(cast)
  const params = JSON.stringify({ message: '5L9GKndxjL11Hx6wv51Ux5Cq7', pubkey: wallet.address })
  await dapp.command({ type: 'request.send', data: { sessionTopic, chainId, method: 'solana_signMessage', params } })
  const end = await dapp.until(
    'the answer to the page',
    model => requestsIn(model).find(({ method }) => method === 'solana_signMessage')?.end,
    limitMs,
  )
  const isSigned = end.how === 'answered' && /^\{"signature":"[1-9A-HJ-NP-Za-km-z]{64,88}"\}$/.test(end.result ?? '')
  if (!isSigned) throw new Error(`a page’s request expected a signature, got ${JSON.stringify(end)}`)
}

/** Sends a ping, an extension and an event to the wallet. */
async function call(cast: Cast): Promise<void> {
  const { dapp, stack, limitMs } = cast
  const sessionTopic = await topic(cast)
  const data = { sessionTopic }
  const calls = async (tag: number, what: () => Promise<void>) => {
    const before = stack.relay.state().tags[tag] ?? 0
    await what()
    await atRelay('the call', limitMs, () => (stack.relay.state().tags[tag] ?? 0) > before)
    const isOver = ({ session }: Model) => Object.keys(session[sessionTopic]?.calls ?? { open: 1 }).length === 0
    await dapp.until('the end of a call', isOver, limitMs)
  }
  await calls(1114, () => dapp.command({ type: 'session.ping', data }))
  await calls(1106, () => dapp.command({ type: 'session.extend', data }))
  const chainId = await chainOf(cast)
  const event = { sessionTopic, event: 'accountsChanged', chainId, data: '[]' }
  await calls(1110, () => dapp.command({ type: 'session.emit', data: event }))
}

const chainOf = ({ dapp, limitMs }: Cast) =>
  dapp.until('the chain', ({ network }) => network.phase === 'identified' && network.caip2, limitMs)

async function update(cast: Cast): Promise<void> {
  const { dapp, wallet, stack, limitMs, isOvertaken } = cast
  const session = await topic(cast)
  const both = [otherAccount, wallet.address]
  const answers = () => stack.relay.state().tags[1105] ?? 0
  const before = answers()
  const acknowledged = wallet.changeAccounts(session, both)
  acknowledged.catch(() => undefined)
  if (!isOvertaken) await within('the answer to an update', limitMs, acknowledged)
  await dapp.until('the changed accounts', model => active(model)?.accounts.join() === both.join(), limitMs)
  await atRelay('our answer at the relay', limitMs, () => answers() > before)
}

async function event(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  const session = await topic(cast)
  const chainId = await chainOf(cast)
  const data = [`${chainId}:${wallet.address}`]
  await within('the sending of an event', limitMs, wallet.emit(session, { name: 'accountsChanged', data, chainId }))
  await dapp.until('the event', model => active(model)?.accounts.join() === wallet.address, limitMs)
}

async function extend(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  const session = await topic(cast)
  const before = await dapp.until('the session', model => model.session[session]?.expiresAt, limitMs)
  await within('the answer to an extension', limitMs, wallet.extend(session))
  await dapp.until('the later end', model => (model.session[session]?.expiresAt ?? 0) > before, limitMs)
}

async function ping(cast: Cast): Promise<void> {
  await within('the answer to a ping', cast.limitMs, cast.wallet.ping(await topic(cast)))
}

async function reconnect(cast: Cast): Promise<void> {
  const { dapp, wallet, stack, limitMs } = cast
  const since = await dapp.until('the relay', ({ relay }) => relay.phase === 'connected' && relay.since, limitMs)
  stack.relay.control({ dropSockets: true })
  await dapp.until('another socket', ({ relay }) => relay.phase === 'connected' && relay.since > since, limitMs)
  const session = await topic(cast)
  await atRelay('our subscription', limitMs, () => (stack.relay.state().topics[session]?.subscribers ?? 0) > 0)
  cast.back()
  await within('the answer to a ping', limitMs, wallet.ping(session))
}

async function leave(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  const session = await topic(cast)
  const { connectionId } = await dapp.until('the connection', active, limitMs)
  await dapp.command({ type: 'connection.disconnect', data: { connectionId } })
  await heardOfEnd(cast, session)
  await dapp.until('an empty outbox', ({ outbox }) => Object.keys(outbox).length === 0, limitMs)
  if (wallet.sessions().includes(session)) throw new Error('the wallet kept a session that was deleted')
}

/** Waits for this session's delete; the wallet may receive those of others before. */
async function heardOfEnd({ wallet, limitMs }: Cast, session: string): Promise<void> {
  for (;;) {
    const { topic } = await within('the wallet’s hearing of the end', limitMs, wallet.next('deleted'))
    if (topic === session) return
  }
}

async function beLeft(cast: Cast): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  const session = await topic(cast)
  await within('the wallet’s leaving', limitMs, wallet.disconnect(session))
  await dapp.until('the end', model => !model.session[session] && model.connection.active === null, limitMs)
}

export const story: Plot<KitWallet> = {
  name: 'the whole story',
  async wallet({ addresses, solana }) {
    const wallet = await startKitWallet({
      relayUrl: addresses.VITE_RELAY_URL,
      projectId: addresses.VITE_PROJECT_ID,
      secretKey: seededKeypair('interop', 'visitor').secretKey,
      rpcUrl: solana.url,
    })
    solana.give(wallet.address, { sol: '20', usdc: '0' })
    solana.chain.advance(40)
    return wallet
  },
  steps: [
    { name: 'code pinged', play: pingCode },
    { name: 'decline', play: decline },
    { name: 'pair and settle', play: connect },
    { name: 'sign', play: sign },
    { name: 'refuse', play: refuse },
    { name: 'page asks', play: ask },
    { name: 'dapp calls', play: call },
    { name: 'update', play: update },
    { name: 'event', play: event },
    { name: 'extend', play: extend },
    { name: 'ping', play: ping },
    { name: 'reconnect', play: reconnect },
    { name: 'wallet leaves', play: beLeft },
    { name: 'pair again', play: connect },
    { name: 'dapp leaves', play: leave },
  ],
}
