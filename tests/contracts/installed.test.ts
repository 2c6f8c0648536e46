// @vitest-environment happy-dom
import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { beforeEach, describe, expect, test } from 'vitest'
import { type InstallOptions, install } from '../stack/installed/install.ts'
import { describeTransaction } from '../stack/wallet/describe.ts'
import { readWalletTransaction } from '../stack/wallet/transaction.ts'

type Account = { address: string; publicKey: Uint8Array }
type Found = {
  name: string
  accounts: Account[]
  features: Record<string, Record<string, (...input: unknown[]) => Promise<unknown>>>
}

let found: Found[]
let listening: AbortController | undefined

/** The page's side of the standard: listens, then announces itself as ready. */
function page(options: Partial<InstallOptions>, ready: 'before' | 'after' = 'after'): void {
  listening?.abort()
  listening = new AbortController()
  const { signal } = listening
  for (const control of Object.values(window.__wallets ?? {})) control.unregister()
  found = []
  const api = {
    register: (...wallets: Found[]) => {
      found.push(...wallets)
      return () => {
        found = found.filter(one => !wallets.includes(one))
      }
    },
  }
  const hear = () => {
    window.addEventListener('wallet-standard:register-wallet', event => (event as CustomEvent).detail(api), { signal })
    window.dispatchEvent(new CustomEvent('wallet-standard:app-ready', { detail: api }))
  }
  if (ready === 'before') hear()
  install({ rpcUrl: 'http://127.0.0.1:1', wallets: [{ name: 'Quill', word: 'test' }], ...options })
  if (ready === 'after') hear()
}

const ask = async (at: number, feature: string, ...input: unknown[]): Promise<unknown> => {
  const method = feature.split(':')[1] as string
  return found[at]?.features[feature]?.[method]?.(...input)
}
const connected = async (at = 0): Promise<Account> => {
  const { accounts } = (await ask(at, 'standard:connect')) as { accounts: Account[] }
  return accounts[0] as Account
}

/** A legacy transfer with one signer, written byte by byte. */
function transferBytes(from: Uint8Array, lamports: bigint): Uint8Array {
  const amount = new Uint8Array(8)
  new DataView(amount.buffer).setBigUint64(0, lamports, true)
  const keys = [from, new Uint8Array(32).fill(5), new Uint8Array(32)]
  const message = [
    1,
    0,
    1,
    3,
    ...keys.flatMap(key => [...key]),
    ...new Uint8Array(32).fill(9),
    1,
    2,
    2,
    0,
    1,
    12,
    2,
    0,
    0,
    0,
  ]
  return Uint8Array.from([1, ...new Uint8Array(64), ...message, ...amount])
}
const signedBy = (bytes: Uint8Array, publicKey: Uint8Array) =>
  ed25519.verify(bytes.subarray(1, 65), bytes.subarray(65), publicKey)

beforeEach(() => localStorage.clear())

describe('an installed wallet', () => {
  test.each(['before', 'after'] as const)(
    'it is found by a page that was ready %s it, and can be unregistered',
    ready => {
      page({}, ready)
      expect(found.map(one => one.name)).toEqual(['Quill'])
      window.__wallets['Quill']?.unregister()
      expect(found).toEqual([])
      window.__wallets['Quill']?.announce()
      expect(found.length).toBe(1)
    },
  )
  test('it connects silently only after a first connection, and keeps its key', async () => {
    const wallets = [{ name: 'Quill', policy: { connect: 'approve' as const } }]
    page({ wallets })
    expect(await ask(0, 'standard:connect', { silent: true })).toEqual({ accounts: [] })
    const { address } = await connected()
    page({ wallets })
    expect(await ask(0, 'standard:connect', { silent: true })).toMatchObject({ accounts: [{ address }] })
    expect(window.__wallets['Quill']?.prompts.connect).toBe(0)
  })
  test('it signs exactly the given bytes; with the switch `alter` it signs others', async () => {
    page({ wallets: [{ name: 'Quill', policy: { connect: 'approve', sign: 'approve' } }] })
    const account = await connected()
    const transaction = transferBytes(account.publicKey, 7000n)
    const sign = async () => {
      const [output] = (await ask(0, 'solana:signTransaction', { account, transaction })) as {
        signedTransaction: Uint8Array
      }[]
      return output?.signedTransaction as Uint8Array
    }
    const plain = await sign()
    expect([plain.subarray(65), signedBy(plain, account.publicKey)]).toEqual([transaction.subarray(65), true])
    const control = window.__wallets['Quill']
    if (control) control.policy.sign = 'alter'
    const altered = await sign()
    expect(signedBy(altered, account.publicKey)).toBe(true)
    expect(describeTransaction(readWalletTransaction(altered))[0]).toContain('Send 0.000006999 SOL')
    if (control) control.policy.sign = 'other'
    const other = await sign()
    expect(signedBy(other, other.subarray(69, 101))).toBe(true)
    expect(bs58.encode(other.subarray(69, 101))).not.toBe(account.address)
    expect(control?.prompts.signTransaction).toBe(3)
  })
  test('a declined request rejects with 4001; a changed account is announced, and the old one no longer signs', async () => {
    page({ wallets: [{ name: 'Quill', policy: { connect: 'approve', sign: 'decline' } }] })
    const account = await connected()
    const transaction = transferBytes(account.publicKey, 1n)
    await expect(ask(0, 'solana:signTransaction', { account, transaction })).rejects.toMatchObject({ code: 4001 })
    const changes: Account[][] = []
    void found[0]?.features['standard:events']?.['on']?.('change', (change: { accounts: Account[] }) =>
      changes.push(change.accounts),
    )
    window.__wallets['Quill']?.changeAccount()
    expect(changes[0]?.[0]?.address).not.toBe(account.address)
    await expect(ask(0, 'solana:signTransaction', { account, transaction })).rejects.toThrow('is not connected with')
  })
  test('wallets with one name are two wallets, one that only sends has no other feature, hostile ones do not hide them', () => {
    const wallets: InstallOptions['wallets'] = [
      { name: 'Mirage', hostile: 'throwing' },
      { name: 'Nothing', hostile: 'nonsense' },
      { name: 'Quill' },
      { name: 'Quill' },
      { name: 'Harbor', features: 'sendOnly' },
    ]
    page({ wallets })
    expect(Object.keys(window.__wallets)).toEqual(['Quill', 'Quill 2', 'Harbor'])
    const solana = Object.keys(found.at(-1)?.features ?? {}).filter(name => name.startsWith('solana:'))
    expect(solana).toEqual(['solana:signAndSendTransaction'])
    expect(() => found[0]?.name).toThrow('does not tell its name')
  })
})
