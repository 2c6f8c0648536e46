/**
 * The presale page folded from facts, to compare with the design's pictures. Serve the repository's root with Vite and
 * open /tests/ui/page-gallery.html?show=live|buyer|soon|…&theme=dark; with ?bare tests show one after the other
 */
import { createRoot, type Root } from 'react-dom/client'
import '../../src/ui/styles/font.css'
import '../../src/ui/styles/tokens.css'
import '../../src/ui/styles/kit.css'
import '../../src/ui/styles/page.css'
import '../../src/ui/styles/sale.css'
import '../../src/ui/styles/modal.css'
import { App } from '../../src/ui/App.tsx'
import type { AppFact } from '../../src/events/app.ts'
import { StoreProvider } from '../../src/ui/react.tsx'
import { CONTENT } from '../stack/solana/presale/content.ts'
import {
  buyer,
  connected,
  fact,
  noon,
  amountAltered,
  invoiceUntil,
  orderEnd,
  orderUntil,
  purchases,
  saleAt,
  saleAtPosition,
  signature,
  surroundings,
  terms,
} from './presale/story.ts'

const failure = { code: 'unreachable', message: 'the network expected an answer, none came' } as const
const usd = (dollars: bigint) => dollars * 10n ** 12n
const content = {
  tokenomics: CONTENT.tokenomics,
  questions: CONTENT.questions,
  links: [{ name: 'Privacy', url: 'https://sale.example/privacy.html' }],
}
/** The story's order, landed after the end. */
const latePayment = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [
      {
        signature,
        orderId: '5b0e9d7c31f4a826',
        slot: 2001,
        paidAt: (terms.end + 60) * 1000,
        asset: 'SOL',
        units: '2500000000',
        quoted: '333333333333333',
        status: 'final',
      },
    ],
  },
})
const unaudited = () =>
  saleAt().map(one => {
    if (one.type !== 'sale.noticesRead') return one
    const { checkpoint: _, ...data } = one.data
    return { ...one, data }
  })
const plans = ['5'.repeat(64)]
/** The books count the account's purchases, and the first part of them came with a refund. */
const counted = fact({
  type: 'ledger.computed',
  data: {
    slot: 2500,
    raised: '0',
    pos: '0',
    tokens: '0',
    orders: 2,
    buyers: 1,
    refundsOwed: {},
    balances: {},
    hash: 'ab'.repeat(32),
    time: (terms.end + 3600) * 1000,
    transactions: 3,
    outcome: 'success',
    own: { account: buyer, tokens: '729166666666667', bonus: '4687500000000' },
  },
})
const paidAt = (terms.vesting.tgeAt + 3600) * 1000
const paid = fact({
  type: 'purchase.read',
  data: {
    account: buyer,
    purchases: [],
    payouts: [
      { signature: `${signature.slice(0, -1)}2`, slot: 9000, paidAt, tokens: '183463541666666', status: 'final' },
      {
        signature: `${signature.slice(0, -1)}3`,
        slot: 8000,
        paidAt: paidAt - 3e6,
        asset: 'SOL',
        units: '937500000',
        status: 'final',
      },
    ],
  },
})
const situations: Record<string, AppFact[]> = {
  live: saleAt(),
  connected: [...saleAt(), ...connected(), purchases],
  buyer: [...saleAt(), ...connected(), purchases, ...orderUntil('confirmed')],
  soon: saleAt({ audited: 0n, live: 0n, chainTime: (terms.start - 90_000) * 1000 }),
  paused: saleAt({ paused: true }),
  soldout: saleAtPosition(825_000n),
  ended: saleAt({ chainTime: (terms.end + 60) * 1000 }),
  distributing: [
    ...saleAt({ chainTime: (terms.vesting.tgeAt + 86_400) * 1000, result: 'success', plans }),
    ...connected(),
    purchases,
    counted,
    paid,
  ],
  done: saleAt({ chainTime: (terms.vesting.tgeAt + 200 * 86_400) * 1000, result: 'success', plans }),
  failed: [...saleAt({ chainTime: (terms.end + 3600) * 1000, result: 'failed' }), ...connected(), purchases],
  code: [...saleAt(), ...invoiceUntil('named')],
  codePaid: [...saleAt(), ...invoiceUntil('seen')],
  boundary: [...saleAtPosition(149_900n), ...connected()],
  nearcap: [...saleAtPosition(824_990n), ...connected()],
  poor: [...saleAt(), ...connected({ SOL: '2250000000' })],
  sending: [...saleAt(), ...connected(), ...orderUntil('sending')],
  press: [...saleAt(), ...connected(), ...orderUntil('asked')],
  final: [...saleAt(), ...connected(), purchases, ...orderUntil('finalised')],
  late: [
    ...saleAt({ chainTime: (terms.end + 120) * 1000, content }),
    ...connected(),
    purchases,
    ...orderUntil('finalised'),
    latePayment,
  ],
  doubt: [...saleAt({ audited: usd(140_000n), live: usd(30_000n), content }), ...connected()],
  unaudited: [...unaudited(), ...connected()],
  content: saleAt({ content }),
  legal: [
    ...saleAt(),
    ...connected(),
    fact({ type: 'sale.legalFailed', data: { failure: { code: 'terms_invalid', message: '' } } }),
  ],
  rejected: [...saleAt(), ...connected(), ...orderUntil('asked'), orderEnd('order.rejected', 'user_rejected')],
  expired: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('sending'),
    fact({ type: 'order.expired', data: { orderId: 'o1', height: 151 } }),
  ],
  moved: [
    ...saleAtPosition(150_300n),
    ...connected(),
    ...orderUntil('signed'),
    orderEnd('order.gateRefused', 'stale_quote'),
  ],
  changed: [...saleAt(), ...connected(), ...orderUntil('asked'), amountAltered],
  gone: [...saleAt(), ...connected(), ...orderUntil('asked'), orderEnd('order.unknown', 'wallet_gone')],
  reading: [],
  refused: [fact({ type: 'sale.termsRefused', data: { failure: { code: 'terms_invalid', message: '' } } })],
  stale: [
    ...saleAt({ chainTime: noon - 125_000 }).map(one => ({ ...one, at: noon - 125_000 })),
    fact({ type: 'sale.unreachable', data: { failure, retryAt: noon + 8_000 } }),
  ],
  elsewhere: [fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } })],
  elsewhereOrder: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('asked'),
    fact({ type: 'tab.elsewhere', data: { why: 'otherBuild' } }),
  ],
  oneTab: [...saleAt(), fact({ type: 'tab.elsewhere', data: { why: 'oneTab' } })],
  otherBuild: [...saleAt(), fact({ type: 'tab.otherBuild', data: { open: true } })],
  otherBuildOrder: [
    ...saleAt(),
    ...connected(),
    ...orderUntil('asked'),
    fact({ type: 'tab.otherBuild', data: { open: true } }),
  ],
  memory: [
    ...saleAt(),
    fact({ type: 'core.started', data: { life: 1, build: '', cause: 'start', storage: 'memory' } }),
  ],
}

const asked = new URLSearchParams(location.search)
if (asked.get('dir')) document.documentElement.dir = asked.get('dir') ?? ''
const place = document.getElementById('root') as HTMLElement
let root: Root | undefined

/** Replaces the situation on show. */
function show(name: string): void {
  root?.unmount()
  const { value, tell } = surroundings(situations[name] ?? [])
  const theme = asked.get('theme')
  if (theme === 'dark' || theme === 'light') tell(fact({ type: 'tab.themed', data: { theme } }))
  root = createRoot(place)
  root.render(
    <StoreProvider value={value}>
      <App />
    </StoreProvider>,
  )
}

if (asked.has('bare')) Object.assign(window, { gallery: { states: Object.keys(situations), show } })
else show(asked.get('show') ?? 'live')
