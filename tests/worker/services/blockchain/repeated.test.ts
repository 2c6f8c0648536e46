import { expect, test } from 'vitest'
import { aliceName, examples, received, session, solBalance, usdcBalance } from './examples.ts'

const read = (name: keyof typeof examples, body: unknown) => examples[name].read(JSON.stringify(body))
const token = JSON.parse(examples.tokens.body).tokens[0]

test.each<[keyof typeof examples, unknown, unknown]>([
  [
    'balance',
    { balances: [solBalance, usdcBalance, { ...solBalance, value: 1e6 }] },
    { balances: [{ symbol: 'SOL', value: '312.4' }, { symbol: 'USDC' }], dropped: 1 },
  ],
  [
    'history',
    { data: [received, received, { ...received, metadata: { ...received.metadata, hash: 'other' } }] },
    { data: [{ hash: '5h3k' }, { hash: 'other' }], dropped: 1 },
  ],
  ['tokens', { tokens: [token, { ...token, name: 'Another' }] }, { tokens: [{ name: 'USD Coin' }], dropped: 1 }],
  ['sessions', { pcis: [session, session] }, { pcis: [{ pci: session.pci }], dropped: 1 }],
  ['reverseLookup', [aliceName, aliceName], { names: [{ name: aliceName.name }], dropped: 1 }],
  [
    'suggestions',
    {
      suggestions: [
        { name: 'a.reown.id', registered: true },
        { name: 'a.reown.id', registered: false },
      ],
    },
    { suggestions: [{ registered: true }], dropped: 1 },
  ],
  ['supportedChains', { http: ['eip155:1', 'eip155:1'], ws: [] }, { http: ['eip155:1'], dropped: 1 }],
])('repeated entries of an answer count once, the first of them: %s', (name, body, kept) => {
  expect(read(name, body)).toMatchObject(kept as object)
})
