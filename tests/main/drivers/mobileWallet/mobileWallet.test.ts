import { withinTime } from '../../../../src/runtime/withinTime.ts'
import { ed25519 } from '@noble/curves/ed25519.js'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket as NodeSocket } from 'ws'
import { decodeBase58 } from '../../../../src/events/values/solana/base58.ts'
import { createCipher } from '../../../../src/main/drivers/mobileWallet/cipher.ts'
import { createMobileWallet } from '../../../../src/main/drivers/mobileWallet/mobileWallet.ts'
import { readAnnouncement } from '../../../../src/main/drivers/wallets/announced.ts'
import { createMobileApp, type MobileApp, type MobileAppOptions } from '../../../stack/mobileWallet/app.ts'

const apps: MobileApp[] = []
afterEach(async () => {
  for (const app of apps.splice(0)) await app.close()
})

/** Name of the token in a test's memory; see `keptToken.browser.test.ts` for the page's own place. */
const tokenName = 'token'

/** The wallet of a page on a device with one app; `isThere` false: with none. */
function page(options: Partial<MobileAppOptions> = {}, { isThere = true, memory = new Map<string, string>() } = {}) {
  const app = createMobileApp({ word: 'mobile', rpcUrl: 'http://127.0.0.1:1', ...options })
  apps.push(app)
  const links: string[] = []
  const rests: number[] = []
  let listens: Promise<void> = Promise.resolve()
  const ports = {
    device: {
      recall: (name: string) => memory.get(name),
      remember: (name: string, words: string | undefined) =>
        void (words === undefined ? memory.delete(name) : memory.set(name, words)),
    },
    kept: {
      recall: async () => memory.get(tokenName),
      keep: async (token: string | undefined) =>
        void (token === undefined ? memory.delete(tokenName) : memory.set(tokenName, token)),
    },
    identity: { name: 'MAI', uri: 'https://mai.example' },
    chain: () => 'solana:mainnet' as const,
    open(link: string) {
      links.push(link)
      if (isThere) listens = app.open(link)
    },
    makeSocket: (url: string, protocol: string) =>
      // A browser's socket does not throw an error that nothing listens for
      new NodeSocket(url, protocol).on('error', () => undefined) as unknown as WebSocket,
    within: withinTime,
    async rest(ms: number) {
      rests.push(ms)
      await listens
    },
  }
  const wallet = createMobileWallet(ports)
  const { features } = wallet
  return {
    app,
    wallet,
    links,
    rests,
    memory,
    ports,
    connect: features['standard:connect'].connect,
    disconnect: features['standard:disconnect'].disconnect,
    on: features['standard:events'].on,
    signMessage: features['solana:signMessage'].signMessage,
    signTransaction: features['solana:signTransaction'].signTransaction,
  }
}
const methods = ({ calls }: MobileApp) => calls.map(({ method }) => method)
const hello = new TextEncoder().encode('hello')

describe('mobile wallet', () => {
  test('is a wallet that this page takes', () => {
    expect(readAnnouncement(page().wallet)).toMatchObject({
      name: 'Mobile Wallet Adapter',
      features: ['signTransaction', 'signAndSendTransaction', 'signMessage'],
    })
  })

  test.each([
    ['in version 1', {}, { chain: 'solana:mainnet' }],
    ['in the first version, which names clusters', { isLegacy: true }, { cluster: 'mainnet-beta' }],
    ['that asks for the hello again', { asksAgain: true }, { chain: 'solana:mainnet' }],
  ])('connects an app %s, by one link', async (_, options, where) => {
    const { connect, app, links } = page(options)
    const { accounts } = await connect()
    expect(accounts.map(({ address }) => address)).toEqual([app.address])
    expect(links).toEqual([
      expect.stringMatching(/^solana-wallet:\/v1\/associate\/local\?association=[\w.-]{88}&port=\d{5}&v=v1$/),
    ])
    expect(app.calls).toEqual([
      { method: 'authorize', params: { identity: { name: 'MAI', uri: 'https://mai.example' }, ...where } },
    ])
  })

  test('signs under the authorisation of before, which the app gets anew each time', async () => {
    const { connect, signMessage, app, links } = page()
    const {
      accounts: [account],
    } = await connect()
    const [{ signature, signedMessage } = { signature: hello, signedMessage: hello }] = await signMessage({
      account,
      message: hello,
    })
    expect(signedMessage).toEqual(hello)
    expect(ed25519.verify(signature, hello, decodeBase58(app.address) as Uint8Array)).toBe(true)
    expect(methods(app)).toEqual(['authorize', 'authorize', 'sign_messages'])
    expect(app.calls[1]?.params).toMatchObject({ auth_token: 'authorised-once' })
    expect(links).toHaveLength(2)
  })

  test('names that call reauthorize in the first version', async () => {
    const { connect, signMessage, app } = page({ isLegacy: true })
    const {
      accounts: [account],
    } = await connect()
    await signMessage({ account, message: hello })
    expect(methods(app)).toEqual(['authorize', 'reauthorize', 'sign_messages'])
  })

  test('is known on a later visit without the app, and forgotten by a disconnect', async () => {
    const first = page()
    await first.connect()
    const later = page({}, { memory: first.memory })
    expect((await later.connect({ silent: true })).accounts).toMatchObject([{ address: first.app.address }])
    expect(later.links).toEqual([])
    const [account] = later.wallet.accounts
    await later.signMessage({ account, message: hello })
    expect(later.app.calls[0]?.params).toMatchObject({ auth_token: 'authorised-once' })
    await later.disconnect()
    expect([...first.memory.keys()]).toEqual([])
    expect(page({}, { memory: first.memory }).wallet.accounts).toEqual([])
  })

  test('keeps its token apart from its accounts, also one that an earlier version kept beside them', async () => {
    const { connect, memory } = page()
    await connect()
    const accounts = memory.get('mai.mobileWallet') ?? ''
    expect(accounts).not.toContain('authorised-once')
    const addresses = JSON.parse(accounts).addresses as string[]
    const before = new Map([['mai.mobileWallet', JSON.stringify({ token: 'authorised-once', addresses })]])
    expect(page({}, { memory: before }).wallet.accounts.map(({ address }) => address)).toEqual(addresses)
    expect([...before]).toEqual([...memory])
  })

  test('whose token is gone is authorised anew, by a prompt of the app', async () => {
    const first = page()
    await first.connect()
    first.memory.delete(tokenName)
    const later = page({}, { memory: first.memory })
    const [account] = later.wallet.accounts
    await later.signMessage({ account, message: hello })
    expect(later.app.calls[0]?.params).not.toHaveProperty('auth_token')
    expect(first.memory.get(tokenName)).toBe('authorised-once')
  })

  test('has requests wait for each other: one app is open at a time', async () => {
    const { connect, signMessage, app } = page()
    const {
      accounts: [account],
    } = await connect()
    await Promise.all([signMessage({ account, message: hello }), signMessage({ account, message: hello })])
    expect(methods(app)).toEqual(['authorize', 'authorize', 'sign_messages', 'authorize', 'sign_messages'])
  })

  test('fails as declined when the person declines', async () => {
    const { connect, signTransaction } = page({ declines: ['sign_transactions'] })
    const {
      accounts: [account],
    } = await connect()
    const asked = signTransaction({ account, transaction: hello })
    await expect(asked).rejects.toMatchObject({ code: 4001 })
  })

  test('loses its accounts, and says so, when the app takes its authorisation back', async () => {
    const { connect, signMessage, app, on, wallet } = page()
    const {
      accounts: [account],
    } = await connect()
    const told: number[] = []
    on('change', ({ accounts }) => told.push(accounts.length))
    app.options.declines = ['authorize']
    await expect(signMessage({ account, message: hello })).rejects.toMatchObject({ code: 4001 })
    expect([told, wallet.accounts]).toEqual([[0], []])
    await expect(signMessage({ account, message: hello })).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test('fails without a code when the app hangs up: it may have signed', async () => {
    const { connect, signMessage } = page({ hangsUpOn: ['sign_messages'] })
    const {
      accounts: [account],
    } = await connect()
    const failed = await signMessage({ account, message: hello }).catch((cause: unknown) => cause)
    expect(failed).toMatchObject({ message: 'the wallet app hung up' })
    expect(failed).not.toHaveProperty('code')
  })

  test.each([
    ['no JSON after its key', { hello: 'rejected' }],
    ['no JSON', { authorize: 'rejected by the user' }],
    ['lists in lists', { authorize: `${'['.repeat(40)}${']'.repeat(40)}` }],
    ['an object with a key for prototypes', { authorize: '{"id":1,"result":{"__proto__":{}}}' }],
  ])('refuses an app that sends %s', async (_, says) => {
    await expect(page({ says }).connect()).rejects.toMatchObject({ name: 'Fault', code: 'bad_response' })
  })

  test('is gone when no app of the device answers, after 34 attempts', async () => {
    const { connect, rests } = page({}, { isThere: false })
    await expect(connect()).rejects.toMatchObject({ code: 'wallet_gone' })
    expect(rests).toHaveLength(34)
  })

  test.each([
    '',
    'null',
    '{"token":1,"addresses":[]}',
    '{"token":"t","addresses":"x"}',
    '{"token":"t","addresses":["no address",7]}',
  ])('knows no account from the stored text %s', text => {
    expect(page({}, { memory: new Map([['mai.mobileWallet', text]]) }).wallet.accounts).toEqual([])
  })
})

describe('the cipher of a session', () => {
  const key = () => crypto.subtle.generateKey({ name: 'AES-GCM', length: 128 }, false, ['encrypt', 'decrypt'])

  test('opens messages in their order only, and of its key only', async () => {
    const shared = await key()
    const [page, app, other] = [createCipher(shared), createCipher(shared), createCipher(await key())]
    const [first, second] = [await page.seal('one'), await page.seal('two')]
    expect(await app.open(first)).toBe('one')
    await expect(app.open(first)).rejects.toMatchObject({ code: 'bad_response' })
    await expect(other.open(first)).rejects.toMatchObject({ code: 'bad_response' })
    await expect(createCipher(shared).open(second)).rejects.toMatchObject({ code: 'bad_response' })
    await expect(createCipher(shared).open(first.slice(0, 10))).rejects.toMatchObject({ code: 'bad_response' })
  })
})
