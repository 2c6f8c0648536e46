/**
 * One-click auth with the official kit: declined, altered, abandoned, signed without and with a session, and, with a wallet
 * that lacks it, approved through the fallback proposal.
 */
import { requestsIn } from '../events/anyRequest.ts'
import { type AnyAuth, findAuth } from '../events/anyAuth.ts'
import { isAuthOver } from '../../src/events/subjects/wallet/auth.ts'
import type { AuthWallet } from '../stack/wallet/authWallet.ts'
import { startAuthWallet } from '../stack/wallet/authWallet.ts'
import { type Cast, type Counterpart, type Plot, within } from './plot.ts'

/** One wallet with one-click auth, and one without. */
type Wallets = Counterpart & { knowing: AuthWallet; old: AuthWallet }
type Both = Cast<Wallets>

const chains = ['eip155:1', 'eip155:137']
let nonces = 0

/**
 * Requests a sign-in, and gives the code to one of the wallets once both messages are with the relay. @returns the request's id
 */
async function ask(cast: Both, wallet: AuthWallet, methods: string[]): Promise<string> {
  const { dapp, limitMs } = cast
  nonces += 1
  const nonce = `nonce-${nonces}`
  const address = { domain: 'dapp.example', uri: 'https://dapp.example/login' }
  await dapp.command({ type: 'auth.request', data: { chains, ...address, nonce, statement: 'Sign in', methods } })
  await cast.beforeScanning()
  const { authId, sent } = await dapp.until(
    'a sign-in at the relay',
    ({ auth, pairing }) =>
      findAuth(
        auth,
        ({ asked, phase, sent: its }) =>
          asked.nonce === nonce && phase === 'delivered' && pairing.open[its?.pairingTopic ?? '']?.phase === 'proposed',
      ),
    limitMs,
  )
  const uri = await dapp.pairingUri(sent?.pairingTopic ?? '')
  if (!uri?.includes('&methods=wc_sessionAuthenticate&')) throw new Error('the code expected to say that it signs in')
  await within('the wallet’s pairing', limitMs, wallet.pair(uri))
  return authId
}

const endOf = ({ dapp, limitMs }: Both, authId: string): Promise<AnyAuth> =>
  dapp.until('the end of the sign-in', ({ auth }) => auth[authId] && isAuthOver(auth[authId]) && auth[authId], limitMs)

/** @param code expected failure; undefined for success */
async function ends(cast: Both, authId: string, code?: string): Promise<AnyAuth> {
  const auth = await endOf(cast, authId)
  if (auth.failure?.code !== code)
    throw new Error(`a sign-in expected ${code ?? 'no failure'}, got ${auth.failure?.code}: ${auth.failure?.message}`)
  return auth
}

async function decline(cast: Both): Promise<void> {
  const { knowing } = cast.wallet
  knowing.policy.auth = 'decline'
  await ends(cast, await ask(cast, knowing, ['personal_sign']), 'user_rejected')
}

/** The kit itself sends no invalid signature, but it does not notice another nonce. */
async function alter(cast: Both): Promise<void> {
  const { knowing } = cast.wallet
  knowing.policy.auth = 'alter'
  const { failure } = await ends(cast, await ask(cast, knowing, []), 'bad_response')
  if (!failure?.message.includes('the nonce that was asked for'))
    throw new Error(`another nonce expected to be told as one, got ${failure?.message}`)
}

async function leave(cast: Both): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  wallet.knowing.policy.auth = 'silent'
  const authId = await ask(cast, wallet.knowing, ['personal_sign'])
  await within('the wallet’s hearing of it', limitMs, wallet.knowing.next('asked'))
  await dapp.command({ type: 'auth.abandon', data: { authId } })
  await ends(cast, authId, 'user_rejected')
}

async function signOnly(cast: Both): Promise<void> {
  const { knowing } = cast.wallet
  knowing.policy.auth = 'sign'
  const auth = await ends(cast, await ask(cast, knowing, []))
  const signed = auth.answer?.signed.map(({ chain, address }) => `${chain}:${address}`)
  if (signed?.join() !== chains.map(chain => `${chain}:${knowing.address}`).join() || auth.sessionTopic !== undefined)
    throw new Error(`a sign-in alone expected a statement for each chain and no session, got ${signed}`)
}

async function signAndOpen(cast: Both): Promise<void> {
  const { dapp, wallet, limitMs } = cast
  const { knowing } = wallet
  knowing.policy.auth = 'sign'
  const { sessionTopic = '' } = await ends(cast, await ask(cast, knowing, ['personal_sign']))
  await heard(cast, knowing, 'signed', sessionTopic)
  const params = JSON.stringify([`0x${Buffer.from('hello').toString('hex')}`, knowing.address])
  const request = { sessionTopic, chainId: 'eip155:1', method: 'personal_sign', params }
  await dapp.command({ type: 'request.send', data: request })
  const end = await dapp.until(
    'a signature over the session',
    model => requestsIn(model).find(one => one.sessionTopic === sessionTopic)?.end,
    limitMs,
  )
  if (end.how !== 'answered' || !/^"0x[0-9a-f]{130}"$/.test(end.result ?? ''))
    throw new Error(`a request expected a signature, got ${JSON.stringify(end)}`)
  await leaveIt(cast, knowing, sessionTopic)
}

async function fallBack(cast: Both): Promise<void> {
  const { old } = cast.wallet
  old.policy.session = 'approve'
  const { sessionTopic = '' } = await ends(cast, await ask(cast, old, ['eth_sendTransaction']))
  await heard(cast, old, 'settled', sessionTopic)
  await leaveIt(cast, old, sessionTopic)
}

async function fallBackDeclined(cast: Both): Promise<void> {
  const { old } = cast.wallet
  old.policy.session = 'decline'
  await ends(cast, await ask(cast, old, ['personal_sign']), 'user_rejected')
}

/** Ends the session; its wallet is notified. */
async function leaveIt(cast: Both, wallet: AuthWallet, sessionTopic: string): Promise<void> {
  await cast.dapp.command({ type: 'session.disconnect', data: { sessionTopic } })
  await heard(cast, wallet, 'deleted', sessionTopic)
  await cast.dapp.until('an empty outbox', ({ outbox }) => Object.keys(outbox).length === 0, cast.limitMs)
}

/** The kit shows and answers a repeated message twice: one of its sessions has to be ours. */
async function heard(cast: Both, wallet: AuthWallet, type: 'signed' | 'settled' | 'deleted', sessionTopic: string) {
  for (;;) {
    const { topic } = await within(`the wallet’s ${type}`, cast.limitMs, wallet.next(type))
    if (topic === sessionTopic) return
  }
}

export const signIn: Plot<Wallets> = {
  name: 'one-click auth',
  async wallet({ addresses }) {
    const common = { relayUrl: addresses.VITE_RELAY_URL, projectId: addresses.VITE_PROJECT_ID }
    const knowing = await startAuthWallet({ ...common, secretKey: new Uint8Array(32).fill(21) })
    const old = await startAuthWallet({ ...common, secretKey: new Uint8Array(32).fill(22), knows: false })
    return {
      knowing,
      old,
      clientId: async () => `${await knowing.clientId()},${await old.clientId()}`,
      close: async () => void (await Promise.all([knowing.close(), old.close()])),
    }
  },
  steps: [
    { name: 'declined', play: decline },
    { name: 'altered', play: alter },
    { name: 'left', play: leave },
    { name: 'signed', play: signOnly },
    { name: 'signed, with a session', play: signAndOpen },
    { name: 'approved instead', play: fallBack },
    { name: 'declined instead', play: fallBackDeclined },
  ],
}
