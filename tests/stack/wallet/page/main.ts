import { createWalletChain } from '../chain.ts'
import type { PageConfig } from './config.ts'
import { type Ask, type Connection, connectWallet } from './connection.ts'
import { readIdentity } from './identity.ts'
import { readSwitches } from './switches.ts'
import { createView, type Shown } from './view.ts'

const root = document.getElementById('wallet')
if (root) void run(root)

async function run(root: HTMLElement): Promise<void> {
  const config = (await (await fetch('/config.json')).json()) as PageConfig
  const query = new URLSearchParams(location.search)
  const switches = readSwitches(query)
  const identity = readIdentity(switches.seed)
  const { address } = identity.accounts[0]
  const chain = createWalletChain(config.rpcUrl)
  let connection: Connection | undefined
  let shown: Shown = { address, sol: undefined, tokens: [], asks: [], sessions: [], log: [], ready: false }

  const show = (change: Partial<Shown>): void => {
    shown = { ...shown, ...change, sessions: connection?.sessions() ?? [] }
    draw(shown)
  }
  const note = (line: string): void => show({ log: [line, ...shown.log].slice(0, 50) })
  const attempt = (work: Promise<unknown>): void => {
    work.catch(error => note(`Did not work: ${error instanceof Error ? error.message : String(error)}`))
  }
  const refresh = async (): Promise<void> => {
    const [sol, tokens] = await Promise.all([chain.balance(address), chain.tokens(address)])
    show({ sol, tokens: tokens.map(({ mint, ...held }) => ({ ...held, name: config.tokens[mint] ?? `of ${mint}` })) })
  }
  const without = (key: string): Ask[] => shown.asks.filter(ask => ask.key !== key)
  const decide = async (ask: Ask, verdict: 'approve' | 'decline'): Promise<void> => {
    show({ asks: without(ask.key) })
    note(await ask[verdict]())
    await refresh()
  }
  const pair = async (uri: string): Promise<void> => {
    if (!connection) throw new Error('the wallet is still starting')
    await connection.pair(uri)
    note('Took the code')
  }
  const draw = createView(root, switches, {
    pair: uri => attempt(pair(uri)),
    decide: (ask, verdict) => {
      if (!switches.silent) attempt(decide(ask, verdict))
    },
    disconnect: topic => attempt((connection?.disconnect(topic) ?? Promise.resolve()).then(() => note('Disconnected'))),
    faucet: () => attempt(chain.faucet({ address, sol: '10', usdc: '1000' }).then(refresh)),
    refresh: () => attempt(refresh()),
  })

  show({})
  attempt(refresh())
  // The chain counts a payment moments after it was sent; while it is unreachable the last balance stays.
  setInterval(() => void (document.visibilityState === 'visible' && refresh().catch(() => undefined)), 2000)
  const asked = (ask: Ask): void => {
    if (shown.asks.some(({ key }) => key === ask.key)) return
    note(`${ask.who} ${ask.words.title}`)
    if (switches.auto && !switches.silent) attempt(decide(ask, switches.auto))
    else show({ asks: [...shown.asks, ask] })
  }
  const withdrawn = (key: string): void => show({ asks: without(key) })
  connection = await connectWallet({
    config,
    identity,
    switches,
    chain,
    listeners: { asked, withdrawn, changed: note },
  })
  show({ ready: true })
  const uri = query.get('uri')
  if (uri) {
    history.replaceState(null, '', location.pathname + location.search.replace(/[?&]uri=[^&]*/, ''))
    attempt(pair(uri))
  }
}
