import { decimal } from '../describe.ts'
import type { Ask, Session } from './connection.ts'
import { button, el } from './dom.ts'
import type { PageSwitches } from './switches.ts'

/** State of the page. Amounts are base units; undefined until the chain has answered. */
export type Shown = {
  address: string
  sol: bigint | undefined
  tokens: { name: string; amount: bigint; decimals: number }[]
  asks: Ask[]
  sessions: Session[]
  log: string[]
  ready: boolean
}

/** Actions of the person. */
export type Acts = {
  pair(uri: string): void
  decide(ask: Ask, verdict: 'approve' | 'decline'): void
  disconnect(topic: string): void
  faucet(): void
  refresh(): void
}

/** Renders the page once; the returned function updates it. Typed text stays. */
export function createView(root: HTMLElement, switches: PageSwitches, acts: Acts): (shown: Shown) => void {
  const account = el('section', { class: 'account' })
  const asks = el('div', {})
  const sessions = el('section', {})
  const log = el('section', {})
  root.append(el('h1', {}, 'Pocket'), account, asks, pairForm(acts), sessions, switchBoxes(switches), log)
  return shown => {
    const { address, sol, tokens, ready } = shown
    root.dataset['ready'] = String(ready)
    const held = tokens.map(({ name, amount }) => `${amount} ${name}`)
    redraw(account, [address, String(sol), ready, held], () => accountParts(shown, acts))
    redraw(
      asks,
      shown.asks.map(ask => ask.key),
      () => askParts(shown.asks, acts),
    )
    redraw(sessions, shown.sessions, () => sessionParts(shown.sessions, acts))
    redraw(log, shown.log, () => logParts(shown.log))
  }
}

/** Re-renders a part only if its data changed, so that buttons and focus survive. */
function redraw(part: HTMLElement, shows: unknown, draw: () => Node[]): void {
  const key = JSON.stringify(shows)
  if (part.dataset['shows'] === key) return
  part.dataset['shows'] = key
  part.replaceChildren(...draw())
}

function logParts(log: string[]): Node[] {
  const lines = log.map(line => el('p', {}, line))
  return [el('h2', {}, 'What happened'), el('div', { class: 'log', 'data-testid': 'wallet-log' }, ...lines)]
}

function accountParts({ address, sol, tokens, ready }: Shown, acts: Acts): Node[] {
  const balance = sol === undefined ? 'Balance unknown' : `${decimal(sol, 9)} SOL`
  const held = tokens.map(({ name, amount, decimals }) => el('p', {}, `${decimal(amount, decimals)} ${name}`))
  return [
    el('p', { class: 'quiet' }, ready ? 'Your address' : 'Starting'),
    el('p', { class: 'address', 'data-testid': 'wallet-address', 'data-address': address }, address),
    el('p', { class: 'balance', 'data-testid': 'wallet-balance' }, balance),
    el('div', { 'data-testid': 'wallet-tokens' }, ...held),
    el(
      'div',
      { class: 'line' },
      button('wallet-faucet', 'Get 10 SOL and 1000 USDC', acts.faucet),
      button('wallet-refresh', 'Refresh', acts.refresh, 'small'),
    ),
  ]
}

function pairForm(acts: Acts): HTMLElement {
  const uri = el('textarea', {
    'data-testid': 'wallet-uri',
    'aria-label': 'Link from the app',
    placeholder: 'wc:…',
    spellcheck: 'false',
  })
  const press = () => {
    acts.pair(uri.value.trim())
    uri.value = ''
  }
  return el(
    'section',
    {},
    el('h2', {}, 'Connect to an app'),
    uri,
    el('div', { class: 'line' }, button('wallet-pair', 'Connect', press, 'primary')),
  )
}

const verdicts: Record<string, string> = {
  VALID: 'Origin verified',
  INVALID: 'It does not come from there',
  UNKNOWN: 'Where it comes from is not known',
}

/** Shows only the oldest question; the others wait. */
function askParts(asks: Ask[], acts: Acts): Node[] {
  const [ask] = asks
  if (!ask) return []
  const waiting = asks.length > 1 ? [el('p', { class: 'quiet' }, `${asks.length - 1} more waiting`)] : []
  return [
    el(
      'section',
      {
        class: 'asks',
        'data-testid': 'wallet-request',
        'data-kind': ask.kind,
        'data-method': ask.method,
        'data-verified': ask.verified,
      },
      el(
        'div',
        {},
        el('h2', {}, `${ask.who} ${ask.words.title}`),
        el('p', { class: 'quiet' }, ask.where),
        el('p', { class: 'quiet' }, verdicts[ask.verified] ?? ask.verified),
      ),
      el('ul', { 'data-testid': 'wallet-words' }, ...ask.words.lines.map(line => el('li', {}, line))),
      el(
        'div',
        { class: 'choice' },
        button('wallet-decline', 'Decline', () => acts.decide(ask, 'decline')),
        button('wallet-approve', 'Approve', () => acts.decide(ask, 'approve'), 'primary'),
      ),
      ...waiting,
    ),
  ]
}

function sessionParts(sessions: Session[], acts: Acts): Node[] {
  const rows = sessions.map(({ topic, name, url, chains }) =>
    el(
      'li',
      { class: 'line', 'data-testid': 'wallet-session', 'data-topic': topic },
      el('div', { class: 'grow' }, name, el('p', { class: 'quiet' }, `${url} on ${chains.join(', ')}`)),
      button('wallet-disconnect', 'Disconnect', () => acts.disconnect(topic), 'small'),
    ),
  )
  return [
    el('h2', {}, 'Connected apps'),
    rows.length > 0 ? el('ul', {}, ...rows) : el('p', { class: 'quiet' }, 'None yet'),
  ]
}

const boxes: [keyof PageSwitches & ('alter' | 'other' | 'silent'), string][] = [
  ['alter', 'Change the amount'],
  ['other', 'Sign with another account'],
  ['silent', 'Never answer'],
]

function switchBoxes(switches: PageSwitches): HTMLElement {
  const box = (name: string, label: string, checked: boolean, set: (on: boolean) => void) => {
    const input = el('input', { type: 'checkbox', 'data-testid': `wallet-switch-${name}` })
    input.checked = checked
    input.addEventListener('change', () => set(input.checked))
    return el('label', {}, input, label)
  }
  const auto = box('auto', 'Approve everything at once', switches.auto === 'approve', on => {
    switches.auto = on ? 'approve' : ''
  })
  const others = boxes.map(([name, label]) =>
    box(name, label, switches[name], on => {
      switches[name] = on
    }),
  )
  return el('section', {}, el('h2', {}, 'Ways to misbehave'), el('div', { class: 'switches' }, auto, ...others))
}
