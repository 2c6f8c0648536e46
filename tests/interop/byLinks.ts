/**
 * Link mode with the official kit: one-click auth, requests and both kinds of disconnect, all inside links the two open each
 * other with, without a relay. The kit is made to believe it runs in a phone's app.
 */
import { requestsIn } from '../events/anyRequest.ts'
import { isAuthOver } from '../../src/events/subjects/wallet/auth.ts'
import { type AuthWallet, startAuthWallet } from '../stack/wallet/authWallet.ts'
import type { Stack } from '../stack/start.ts'
import type { PageEffect } from '../../src/events/wire.ts'
import { createLocks } from '../worker/tabs/locks.ts'
import { configFor, openPage, type TestPage } from '../worker/tabs/page.ts'
import { emptyDisk, install, live } from '../worker/tabs/world.ts'
import { type Channel, type ChannelFault, openChannel } from './channel.ts'
import { type Played, quietConsole, runsAgain } from './interop.ts'
import { within } from './plot.ts'

const ours = 'https://dapp.example/app'
const theirs = 'https://wallet.example/app'
const limitMs = 20_000
/** Time a person waits for an app before pressing again, ms. */
const patienceMs = 4000

type Phone = { page: TestPage; wallet: AuthWallet; channel: Channel; isLossy: boolean }
let nonces = 0

/** Signs in by the wallet's link; without a result the person abandons it and presses again. @returns the session's topic */
async function signIn(phone: Phone): Promise<string> {
  const { page, wallet, channel, isLossy } = phone
  channel.begin()
  // A message lost on the way there cannot be lost on the way back
  for (let presses = 0; presses < (isLossy ? 3 : 1); presses += 1) {
    nonces += 1
    const nonce = `by-link-${nonces}`
    await page.command({
      type: 'auth.request',
      data: {
        chains: ['eip155:1'],
        domain: 'dapp.example',
        uri: 'https://dapp.example/login',
        nonce,
        methods: ['personal_sign'],
        walletLink: theirs,
      },
    })
    const theAuth = () => Object.values(page.model().auth).find(({ asked }) => asked.nonce === nonce)
    const waitsMs = isLossy && presses < 2 ? patienceMs : limitMs
    const over = () => page.until('the sign-in', () => (theAuth()?.phase === 'done' ? theAuth() : undefined), waitsMs)
    const auth = await over().catch((cause: unknown) => {
      if (waitsMs === limitMs) throw cause
      return undefined
    })
    if (auth?.phase === 'done' && auth.sessionTopic !== undefined) {
      const session = page.model().session[auth.sessionTopic]
      if (session?.transport !== 'link')
        throw new Error(`the session expected to go by links, it goes by ${session?.transport}`)
      await within('the wallet’s session', limitMs, signed(wallet, auth.sessionTopic))
      return auth.sessionTopic
    }
    const authId = theAuth()?.authId ?? ''
    await page.command({ type: 'auth.abandon', data: { authId } })
    await page.until('the end of what was left', model => model.auth[authId] && isAuthOver(model.auth[authId]), limitMs)
  }
  throw new Error('the sign-in expected to come through at the third press')
}

async function signed(wallet: AuthWallet, sessionTopic: string): Promise<void> {
  for (;;) if ((await wallet.next('signed')).topic === sessionTopic) return
}

/** Sends two requests; each press lost with its link is followed by another. */
async function ask({ page, wallet, channel, isLossy }: Phone, sessionTopic: string): Promise<void> {
  channel.begin()
  const sent = async (words: string) => {
    const params = JSON.stringify([`0x${Buffer.from(words).toString('hex')}`, wallet.address])
    const request = { sessionTopic, chainId: 'eip155:1', method: 'personal_sign', params }
    await page.command({ type: 'request.send', data: request })
    return (
      requestsIn(page.model())
        .filter(one => one.params === params)
        .at(-1)?.requestId ?? ''
    )
  }
  const ids = [await sent('one'), await sent('two')]
  if (isLossy) ids.push(await sent('three'), await sent('four'))
  const answered = () =>
    requestsIn(page.model()).filter(({ requestId, end }) => ids.includes(requestId) && end?.how === 'answered').length
  // One is lost on the way there, one on the way back
  const expected = isLossy ? ids.length - 2 : ids.length
  await page.until('the answers', () => answered() >= expected, limitMs)
}

async function dappLeaves({ page, wallet, channel, isLossy }: Phone, sessionTopic: string): Promise<void> {
  await page.command({ type: 'session.disconnect', data: { sessionTopic } })
  await within('the wallet’s hearing of the end', limitMs, deleted(wallet, sessionTopic))
  const open = Object.values(page.model().request).filter(({ phase }) => phase !== 'ended')
  if (open.length > 0) throw new Error(`requests expected to end with their session, ${open.length} have not`)
  if (!isLossy && channel.opened.length === 0) throw new Error('links expected to be opened, none was')
}

async function deleted(wallet: AuthWallet, sessionTopic: string): Promise<void> {
  for (;;) if ((await wallet.next('deleted')).topic === sessionTopic) return
}

/** The kit sends its disconnect over the relay, even in link mode: our client receives it when connected. */
async function walletLeaves({ page, wallet }: Phone, sessionTopic: string): Promise<void> {
  await within('the wallet’s leaving', limitMs, wallet.disconnect(sessionTopic))
  await page.command({
    type: 'connection.connectWalletConnect',
    data: { wallet: { walletId: 'walletConnect', name: 'WalletConnect' } },
  })
  await page.until('the end', model => !model.session[sessionTopic], limitMs)
}

/** The relay received nothing of it. */
function quietRelay({ page }: Phone, stack: Stack, before: Record<string, number>): void {
  const after = stack.relay.state().tags
  const said = Object.entries(after).filter(([tag, count]) => count !== (before[tag] ?? 0))
  if (said.length > 0) throw new Error(`the relay expected to hear nothing, it has ${JSON.stringify(said)}`)
  if (page.model().relay.phase !== 'closed')
    throw new Error(`our relay expected to stay closed, it is ${page.model().relay.phase}`)
}

/** Plays the story over a channel with this fault. */
export async function playByLinks(fault: ChannelFault, stack: Stack): Promise<Played> {
  const began = performance.now()
  const steps: Played['steps'] = []
  const console = quietConsole()
  install()
  emptyDisk()
  let refs = 0
  let arrive: (url: string) => void = () => undefined
  const channel = openChannel(fault, url => arrive(url))
  const wallet = await startAuthWallet({
    relayUrl: stack.addresses.VITE_RELAY_URL,
    projectId: stack.addresses.VITE_PROJECT_ID,
    secretKey: new Uint8Array(32).fill(23),
    redirect: { universal: theirs, linkMode: true },
  })
  const config = configFor(stack)
  const metadata = { ...config.metadata, url: 'https://dapp.example' }
  const links = { universal: ours, apps: [theirs] }
  const {
    value: page,
    enter,
    kill,
  } = await live(() => openPage({ config: { ...config, metadata, links }, locks: createLocks() }), 'shared')
  let isEnding = false
  /** Runs a task in the page; failures after the page's end are ignored. */
  const give = (task: () => Promise<void>) =>
    void enter(task).catch(cause => {
      if (!isEnding) throw cause
    })
  arrive = url =>
    give(async () => {
      await page.core.command({ type: 'link.received', data: { url } }, `r${++refs}`, page.tab)
    })
  const opening = openLinks(page, channel, give)
  const phone: Phone = {
    page: { ...page, command: command => enter(() => page.command(command)) },
    wallet,
    channel,
    isLossy: fault === 'lost',
  }
  const before = { ...stack.relay.state().tags }
  let topic = ''
  const story: [string, () => Promise<void>][] = [
    ['sign in', async () => void (topic = await signIn(phone))],
    ['ask', () => ask(phone, topic)],
    ['dapp leaves', () => dappLeaves(phone, topic)],
    ['sign in again', async () => void (topic = await signIn(phone))],
    ['the relay heard nothing', async () => quietRelay(phone, stack, before)],
    ['wallet leaves', () => walletLeaves(phone, topic)],
    ['the log runs again', () => enter(async () => runsAgain({ recording: () => page.core.recording([]) }))],
  ]
  try {
    for (const [name, play] of story) {
      const from = performance.now()
      const wrong = await play().then(
        () => undefined,
        (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
      )
      steps.push({ name, ms: performance.now() - from, ...(wrong === undefined ? {} : { wrong }) })
      if (wrong !== undefined) break
    }
    if (console.ours.length > 0) steps.push({ name: 'the console', ms: 0, wrong: console.ours.join('; ') })
  } finally {
    clearInterval(opening)
    isEnding = true
    await kill()
    await within('the wallet’s end', limitMs, wallet.close())
    channel.close()
    console.restore()
  }
  return { name: `by links: ${fault}`, steps, ms: performance.now() - began }
}

const lookEveryMs = 10

/** The page's driver: opens each link once and reports it. */
function openLinks(page: TestPage, { toWallet }: Channel, give: (task: () => Promise<void>) => void): NodeJS.Timeout {
  type Sending = Extract<PageEffect, { type: 'link.send' }>
  let done = 0
  return setInterval(() => {
    const sent = page.effects.filter((effect): effect is Sending => effect.type === 'link.send')
    for (const { id, data } of sent.slice(done)) {
      done += 1
      toWallet(data.url ?? '')
      give(() => page.core.answer(id, { type: 'link.opened' }, page.tab))
    }
  }, lookEveryMs)
}
