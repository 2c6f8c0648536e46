import { afterEach, describe, expect, test, vi } from 'vitest'
import { encodeBase58 } from '../../../src/events/values/solana/base58.ts'
import type { PageAnswer } from '../../../src/events/wire.ts'
import {
  type Account,
  account,
  connecting,
  devnet,
  icon,
  page,
  restoring,
  sending,
  settled,
  signing,
  smallWallet,
  watching,
} from './smallWallet.ts'

const [first, second] = [account(1), account(2)]

/** A promise that the test settles. */
function open<T>() {
  let end: (value: T) => void = () => {}
  let fail: (cause: unknown) => void = () => {}
  const promise = new Promise<T>((resolve, reject) => {
    end = resolve
    fail = reject
  })
  return { promise, end, fail }
}

const failureOf = (answer: PageAnswer | undefined) => (answer?.type === 'wallet.failed' ? answer.failure : undefined)

afterEach(() => void vi.useRealTimers())

describe('announcing', () => {
  test('records wallets, whether they came before the page listened or after', async () => {
    const { said, announce } = await page(smallWallet().wallet)
    announce(smallWallet({ name: 'Heron', without: ['solana:signTransaction'] }).wallet)
    expect(said).toEqual([
      {
        type: 'installed.announced',
        data: {
          walletKey: 'Quill',
          name: 'Quill',
          features: ['signTransaction', 'signAndSendTransaction'],
          chains: ['solana:mainnet', 'solana:devnet'],
          twin: false,
          identity: expect.any(String),
        },
      },
      {
        type: 'installed.announced',
        data: {
          walletKey: 'Heron',
          name: 'Heron',
          features: ['signAndSendTransaction'],
          chains: ['solana:mainnet', 'solana:devnet'],
          twin: false,
          identity: expect.any(String),
        },
      },
    ])
  })

  test('removes a wallet that unregisters, which may come again under its key', async () => {
    const { wallet } = smallWallet()
    const { said, announce, names, wallets } = await page()
    announce(wallet)()
    expect(said.at(-1)).toEqual({ type: 'installed.gone', data: { walletKey: 'Quill' } })
    expect(wallets.walletIcon('Quill')).toBeUndefined()
    announce(wallet)
    expect(names()).toEqual(['Quill', 'Quill'])
  })

  test('counts a wallet announced twice as one', async () => {
    const { wallet } = smallWallet()
    const { names, announce } = await page(wallet)
    announce(wallet)
    expect(names()).toEqual(['Quill'])
  })

  test('gives a wallet whose name looks like a key a key of its own', async () => {
    const { names } = await page(smallWallet({ name: 'Quill #2' }).wallet, smallWallet().wallet, smallWallet().wallet)
    expect(names()).toEqual(['Quill #2', 'Quill', 'Quill #3'])
  })

  test('stores a picture apart from the facts, only a raster one in a data address', async () => {
    const { wallets, said } = await page(
      smallWallet().wallet,
      { ...smallWallet({ name: 'Script' }).wallet, icon: 'javascript:alert(1)' },
      { ...smallWallet({ name: 'Html' }).wallet, icon: 'data:text/html,<script></script>' },
      { ...smallWallet({ name: 'Big' }).wallet, icon: `${icon}${'A'.repeat(65_536)}` },
      { ...smallWallet({ name: 'Drawn' }).wallet, icon: 'data:image/svg+xml;utf8,<svg/>' },
    )
    expect(['Quill', 'Script', 'Html', 'Big', 'Drawn'].map(wallets.walletIcon)).toEqual([
      icon,
      undefined,
      undefined,
      undefined,
      undefined,
    ])
    expect(JSON.stringify(said)).not.toContain('data:')
  })

  test('cleans a name of invisible and turning characters', async () => {
    const { names } = await page(smallWallet({ name: ' Qu\u202eill\u200b \u0000\n Pro ' }).wallet)
    expect(names()).toEqual(['Quill Pro'])
  })

  test.each([
    ['null', null, 'expected an object with a name, got null'],
    ['a number', 7, 'expected an object with a name, got number'],
    ['no name', { ...smallWallet().wallet, name: 5 }, 'its name expected text, got number'],
    ['an empty name', { ...smallWallet().wallet, name: '\u200b' }, 'its name is empty'],
    ['a long name', smallWallet({ name: 'Q'.repeat(65) }).wallet, 'its name expected at most 64 characters, got 65'],
    ['a name over 256 characters', smallWallet({ name: ' '.repeat(257) }).wallet, 'at most 64 characters, got 257'],
    ['the name of the code', smallWallet({ name: 'WalletConnect' }).wallet, 'the name WalletConnect is taken'],
    [
      'no features',
      { ...smallWallet().wallet, features: null },
      'expected an object with a table of features, got null',
    ],
    ['no connect', smallWallet({ without: ['standard:connect'] }).wallet, 'standard:connect and standard:events'],
    ['no events', smallWallet({ without: ['standard:events'] }).wallet, 'standard:connect and standard:events'],
    [
      'no way to sign',
      smallWallet({ without: ['solana:signTransaction', 'solana:signAndSendTransaction'] }).wallet,
      'expected solana:signTransaction or solana:signAndSendTransaction',
    ],
    ['no chains', { ...smallWallet().wallet, chains: 'solana:devnet' }, 'Quill expected a list of chains'],
    ['other chains', { ...smallWallet().wallet, chains: ['eip155:1'] }, 'a chain that starts with solana:'],
    ['a foreign prototype', JSON.parse('{"__proto__":{"polluted":true},"name":"Quill"}'), 'a list of chains'],
  ])('an announcement with %s is refused in a sentence, and the next wallet is taken', async (_, wallet, sentence) => {
    const { messages, names } = await page(wallet, smallWallet({ name: 'Heron' }).wallet)
    expect(messages()).toEqual([expect.stringContaining(sentence)])
    expect(names()).toEqual(['Heron'])
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  test('refuses a wallet whose every property throws, without its words', async () => {
    const throwing = new Proxy(
      {},
      {
        get: () => {
          throw new Error('seed words')
        },
        has: () => {
          throw new Error('seed words')
        },
      },
    )
    const { messages, names } = await page(throwing, smallWallet().wallet)
    expect(messages()).toEqual(['a wallet announcement cannot be used: reading its name failed'])
    expect(names()).toEqual(['Quill'])
  })

  test('survives an announcement that is no function, or throws', async () => {
    const { window, messages, announce, names } = await page()
    const announcement = (detail: unknown) =>
      window.dispatchEvent(new CustomEvent('wallet-standard:register-wallet', { detail }))
    announcement('hello')
    announcement(() => {
      throw new Error('no')
    })
    announce(smallWallet().wallet)
    expect(messages()).toHaveLength(2)
    expect(names()).toEqual(['Quill'])
  })

  test('keeps the first read of a wallet whose properties change', async () => {
    const honest = smallWallet()
    const other = smallWallet({ name: 'Heron', connect: () => ({ accounts: [second] }) })
    const reads = new Map<PropertyKey, number>()
    const changing = new Proxy(honest.wallet, {
      get: (target, property) => {
        const n = (reads.get(property) ?? 0) + 1
        reads.set(property, n)
        return Reflect.get(n === 1 ? target : other.wallet, property)
      },
    })
    const { names, ask } = await page(changing)
    expect(names()).toEqual(['Quill'])
    expect(await ask(connecting())).toMatchObject({ type: 'wallet.connected', accounts: [first.address] })
    expect(other.calls).toEqual([])
  })

  test('takes 64 of 10,000 announcements and adds one fact for the rest', async () => {
    const { said, names, messages } = await page(
      ...Array.from({ length: 10_000 }, (_, n) => smallWallet({ name: `Flood ${n}` }).wallet),
    )
    expect(names()).toHaveLength(64)
    expect(messages()).toEqual(['this page expected at most 64 wallets at a time, further ones are left out'])
    expect(said).toHaveLength(65)
  })

  test('adds 16 facts for 10,000 unusable announcements', async () => {
    const { said, announce, names } = await page(...Array.from({ length: 10_000 }, (_, n) => n))
    announce(smallWallet().wallet)
    expect(names()).toEqual(['Quill'])
    expect(said).toHaveLength(17)
  })

  test('stops recording a wallet that comes and goes for ever', async () => {
    const { said, announce } = await page()
    const { wallet } = smallWallet()
    for (let n = 0; n < 3000; n += 1) announce(wallet)()
    expect(said.length).toBeLessThanOrEqual(2001)
  })

  test('ends with the driver', async () => {
    const { wallets, announce, names } = await page()
    wallets.close()
    announce(smallWallet().wallet)
    expect(names()).toEqual([])
  })
})

describe('connecting', () => {
  test('a wallet that agrees shares its Solana accounts, each once', async () => {
    const foreign = { ...account(3), chains: ['eip155:1'] }
    const broken = { ...account(4), address: 'not an address' }
    const small = smallWallet({ accounts: [first, foreign, broken, first, second] })
    const { ask } = await page(small.wallet)
    expect(await ask(connecting())).toEqual({
      type: 'wallet.connected',
      accounts: [first.address, second.address],
      features: ['signTransaction', 'signAndSendTransaction'],
      identity: expect.any(String),
    })
    expect(small.calls).toEqual([{ method: 'connect', input: undefined }])
  })

  test('the key selects between two wallets of one name, for signing too', async () => {
    const [one, two] = [smallWallet(), smallWallet({ accounts: [second] })]
    const { ask } = await page(one.wallet, two.wallet)
    expect(await ask(connecting('Quill', 'Quill #2'))).toMatchObject({ accounts: [second.address] })
    await ask(signing(second))
    expect([one.calls.length, two.times('signTransaction')]).toEqual([0, 1])
  })

  test.each([
    ['code 4001', Object.assign(new Error('no'), { code: 4001 }), 'user_rejected'],
    ['words of refusal', new Error('Request was DECLINED'), 'user_rejected'],
    ['a text', 'cancelled', 'user_rejected'],
    ['a locked wallet', new Error('Wallet is locked'), 'wallet_locked'],
    ['an open request', Object.assign(new Error('0xdeadbeef'), { code: -32002 }), 'busy'],
    ['anything else', new Error('0xdeadbeef'), 'unknown'],
    ['nothing', undefined, 'unknown'],
  ])('%s ends the attempt with its code and without its text', async (_, cause, code) => {
    const { ask } = await page(smallWallet({ connect: () => Promise.reject(cause) }).wallet)
    const failure = failureOf(await ask(connecting()))
    expect(failure?.code).toBe(code)
    expect(failure?.message).toContain('Quill')
    expect(failure?.message).not.toContain('0xdeadbeef')
  })

  test('an error whose properties throw counts as unknown', async () => {
    const cause = new Proxy(
      {},
      {
        get: () => {
          throw new Error('no')
        },
      },
    )
    const { ask } = await page(smallWallet({ connect: () => Promise.reject(cause) }).wallet)
    expect(failureOf(await ask(connecting()))?.code).toBe('unknown')
  })

  test.each([
    ['nothing', undefined],
    ['no list', { accounts: 'all' }],
    ['no Solana account', { accounts: [{ ...account(1), chains: ['eip155:1'] }] }],
    [
      'a list that throws',
      {
        get accounts() {
          throw new Error('no')
        },
      },
    ],
  ])('a wallet that answers with %s gave a bad response', async (_, answer) => {
    const { ask } = await page(smallWallet({ connect: () => answer }).wallet)
    expect(failureOf(await ask(connecting()))?.code).toBe('bad_response')
  })

  test('a wallet gone since its listing fails with that code', async () => {
    const { ask, announce } = await page()
    announce(smallWallet().wallet)()
    expect(failureOf(await ask(connecting()))).toEqual({ code: 'wallet_gone', message: 'Quill is not in this page' })
  })
})

describe('restoring', () => {
  test('a known wallet is only asked silently', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    expect(await ask(restoring())).toMatchObject({ type: 'wallet.connected', accounts: [first.address] })
    expect(small.calls).toEqual([{ method: 'connect', input: { silent: true } }])
  })

  test.each([
    ['shares nothing', () => ({ accounts: [] })],
    ['refuses', () => Promise.reject(new Error('no'))],
  ])('a wallet that %s without a prompt counts as missing', async (_, connect) => {
    const { ask } = await page(smallWallet({ connect }).wallet)
    expect(failureOf(await ask(restoring()))?.code).toBe('wallet_gone')
  })

  test('a late announcement is awaited', async () => {
    const { ask, announce, delivered } = await page()
    expect(await ask(restoring())).toBeUndefined()
    announce(smallWallet({ name: 'Heron' }).wallet)
    await settled()
    expect(delivered).toEqual([])
    announce(smallWallet().wallet)
    await expect.poll(() => delivered[0]?.answer).toMatchObject({ type: 'wallet.connected' })
  })

  test('after 5 seconds without its announcement the wallet is missing', async () => {
    const { perform, delivered } = await page()
    vi.useFakeTimers()
    perform(restoring())
    await vi.advanceTimersByTimeAsync(4999)
    expect(delivered).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(failureOf(delivered[0]?.answer)?.code).toBe('wallet_gone')
  })

  test('a silent wallet is given up after 10 seconds, and its late answer changes nothing', async () => {
    const late = open<unknown>()
    const { perform, delivered } = await page(smallWallet({ connect: () => late.promise }).wallet)
    vi.useFakeTimers()
    perform(restoring())
    await vi.advanceTimersByTimeAsync(10_000)
    late.end({ accounts: [first] })
    await vi.advanceTimersByTimeAsync(0)
    expect(delivered.map(one => failureOf(one.answer)?.code)).toEqual(['wallet_gone'])
  })
})

describe('signing', () => {
  test('gives the wallet a transaction with its own account object and the network’s name', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(connecting())
    expect(await ask(signing(first))).toEqual({ type: 'wallet.signed', bytes: Uint8Array.of(1, 2, 3) })
    const { input } = small.calls.at(-1) as { input: { account: unknown; chain: string; transaction: Uint8Array } }
    expect(input.account).toBe(small.wallet.accounts[0])
    expect([input.chain, input.transaction]).toEqual(['solana:devnet', Uint8Array.of(2, 3)])
  })

  test('takes the signature of a sending wallet in base58', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(connecting())
    expect(await ask(sending(first))).toEqual({
      type: 'wallet.sent',
      signature: encodeBase58(new Uint8Array(64).fill(7)),
    })
    expect(small.calls.at(-1)?.input).toMatchObject({
      chain: 'solana:devnet',
      options: { preflightCommitment: 'confirmed' },
    })
  })

  test('asks a wallet without the local chain to sign, but not to send', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(connecting())
    const genesisHash = account(9).address
    const here = <T extends { data: object }>(effect: T) => ({ ...effect, data: { ...effect.data, genesisHash } })
    expect((await ask(here(signing(first))))?.type).toBe('wallet.signed')
    expect(small.calls.at(-1)?.input).not.toHaveProperty('chain')
    expect(failureOf(await ask(here(sending(first))))).toEqual({
      code: 'unsupported',
      message: 'Invalid chain id: Quill expected to know solana:localnet, it knows solana:mainnet, solana:devnet',
    })
    expect(small.times('signAndSendTransaction')).toBe(0)
  })

  test('asks for no account that the wallet no longer lists', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(connecting())
    small.change([second])
    expect(failureOf(await ask(signing(first)))?.code).toBe('account_changed')
    expect(small.times('signTransaction')).toBe(0)
  })

  test('asks for nothing without the bytes, the wallet or its feature', async () => {
    const small = smallWallet({ without: ['solana:signAndSendTransaction'] })
    const { ask } = await page(small.wallet)
    await ask(connecting())
    const { type, data } = signing(first)
    expect(failureOf(await ask({ type, data }))?.code).toBe('bad_input')
    expect(failureOf(await ask(signing(first, 'Heron')))?.code).toBe('wallet_gone')
    expect(failureOf(await ask(sending(first)))?.code).toBe('unsupported')
    expect(small.times('signTransaction')).toBe(0)
  })

  test.each([
    ['nothing', undefined],
    ['an empty list', []],
    ['two outputs', [{ signedTransaction: Uint8Array.of(1) }, { signedTransaction: Uint8Array.of(1) }]],
    ['text', [{ signedTransaction: 'AQ==' }]],
    ['plain numbers', [{ signedTransaction: [1, 2] }]],
    ['no bytes', [{ signedTransaction: new Uint8Array(0) }]],
    ['too many bytes', [{ signedTransaction: new Uint8Array(1233) }]],
    [
      'an output that throws',
      [
        {
          get signedTransaction() {
            throw new Error('no')
          },
        },
      ],
    ],
  ])('a signer that answers with %s gave a bad response', async (_, output) => {
    const { ask } = await page(smallWallet({ signTransaction: () => output }).wallet)
    await ask(connecting())
    expect(failureOf(await ask(signing(first)))?.code).toBe('bad_response')
  })

  test('a signature of another length than 64 bytes is a bad response', async () => {
    const signature = new Uint8Array(63)
    const { ask } = await page(smallWallet({ signAndSendTransaction: () => [{ signature }] }).wallet)
    await ask(connecting())
    expect(failureOf(await ask(sending(first)))).toEqual({
      code: 'bad_response',
      message: 'Quill expected to answer with a signature of 64 bytes, got 63 bytes',
    })
  })

  test('copies the answer: later changes by the wallet have no effect', async () => {
    const signedTransaction = Uint8Array.of(5, 6)
    const { ask } = await page(smallWallet({ signTransaction: () => [{ signedTransaction }] }).wallet)
    await ask(connecting())
    const answer = await ask(signing(first))
    signedTransaction[0] = 0
    expect(answer).toEqual({ type: 'wallet.signed', bytes: Uint8Array.of(5, 6) })
  })

  test('tells a refusal by the network from one by the person', async () => {
    const codeAfter = async (message: string, more: { code?: number } = {}) => {
      const signAndSendTransaction = () => Promise.reject(Object.assign(new Error(message), more))
      const { ask } = await page(smallWallet({ signAndSendTransaction }).wallet)
      await ask(connecting())
      return failureOf(await ask(sending(first)))?.code
    }
    expect(await codeAfter('the node rejected a duplicate')).toBe('unknown')
    expect(await codeAfter('the simulation failed', { code: -32002 })).toBe('unknown')
    expect(await codeAfter('User rejected the request.')).toBe('user_rejected')
    expect(await codeAfter('request declined by user')).toBe('user_rejected')
  })
})

describe('one effect, one answer', () => {
  test('a repeated effect opens one prompt while the wallet waits', async () => {
    const thinking = open<unknown>()
    const small = smallWallet({ signTransaction: () => thinking.promise })
    const { ask, perform, delivered, wallets } = await page(small.wallet)
    await ask(connecting())
    const id = perform(signing(first))
    perform({ ...signing(first), id })
    expect(wallets.asking()).toEqual([id])
    thinking.end([{ signedTransaction: Uint8Array.of(9) }])
    await settled()
    expect(small.times('signTransaction')).toBe(1)
    expect(delivered.filter(one => one.effectId === id)).toHaveLength(1)
    expect([wallets.asking(), wallets.answered()]).toEqual([[], []])
  })

  test('a repeated effect that was answered is answered again without a prompt', async () => {
    const small = smallWallet()
    const { ask, perform, delivered } = await page(small.wallet)
    await ask(connecting())
    const id = perform(signing(first))
    await settled()
    perform({ ...signing(first), id })
    await settled()
    expect(small.times('signTransaction')).toBe(1)
    expect(delivered.filter(one => one.effectId === id).map(one => one.answer.type)).toEqual([
      'wallet.signed',
      'wallet.signed',
    ])
  })

  test('an answer without a core waits for the next one', async () => {
    const { ask, perform, delivered, wallets, core } = await page(smallWallet().wallet)
    await ask(connecting())
    core.up = false
    const id = perform(signing(first))
    await settled()
    expect([wallets.asking(), wallets.answered()]).toEqual([[], [id]])
    core.up = true
    wallets.redeliver()
    await settled()
    expect(delivered.at(-1)).toMatchObject({ effectId: id, answer: { type: 'wallet.signed' } })
    expect(wallets.answered()).toEqual([])
  })

  test('an answer on its way to a lost core goes to the next one', async () => {
    const { ask, perform, wallets } = await page(smallWallet().wallet)
    await ask(connecting())
    const lost = open<void>()
    const taken: string[] = []
    wallets.setDeliver(() => lost.promise)
    const id = perform(signing(first))
    await settled()
    wallets.setDeliver(async effectId => void taken.push(effectId))
    wallets.redeliver()
    await settled()
    expect(taken).toEqual([])
    lost.fail(new Error('the core is gone'))
    await settled()
    expect(taken).toEqual([id])
  })

  test('an answer settled twice counts once', async () => {
    const twice = new (class extends Promise<unknown> {
      // oxlint-disable-next-line unicorn/no-thenable -- a wallet may answer with anything that can be awaited
      override then(resolve?: unknown): never {
        const settle = resolve as (value: unknown) => void
        settle([{ signedTransaction: Uint8Array.of(1) }])
        settle([{ signedTransaction: Uint8Array.of(2) }])
        throw new Error('rejected')
      }
    })(() => {})
    const { ask, perform, delivered } = await page(smallWallet({ signTransaction: () => twice }).wallet)
    await ask(connecting())
    const id = perform(signing(first))
    await settled()
    expect(delivered.filter(one => one.effectId === id).map(one => one.answer)).toEqual([
      { type: 'wallet.signed', bytes: Uint8Array.of(1) },
    ])
  })

  test('an unanswered wallet stays open and blocks no other', async () => {
    const { ask, perform, wallets } = await page(
      smallWallet({ signTransaction: () => new Promise(() => {}) }).wallet,
      smallWallet({ name: 'Heron' }).wallet,
    )
    await ask(connecting())
    const id = perform(signing(first))
    expect((await ask(connecting('Heron')))?.type).toBe('wallet.connected')
    expect(wallets.asking()).toEqual([id])
  })
})

describe('following accounts', () => {
  test('tells a change of account with its connection', async () => {
    const small = smallWallet()
    const { ask, perform, delivered } = await page(small.wallet)
    await ask(connecting())
    const id = perform(watching(first))
    small.change([second])
    await settled()
    expect(delivered.at(-1)).toEqual({
      effectId: id,
      answer: { type: 'wallet.changed', connectionId: 'c1', accounts: [second.address] },
    })
    small.change([])
    await settled()
    expect(delivered.at(-1)?.answer).toMatchObject({ accounts: [] })
  })

  test('tells at once an account that changed before the page listened', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(connecting())
    small.change([second])
    expect(await ask(watching(first))).toMatchObject({ accounts: [second.address] })
  })

  test('tells no accounts that the core knows', async () => {
    const small = smallWallet({ accounts: [first, second] })
    const { ask, delivered } = await page(small.wallet)
    await ask(connecting())
    await ask(watching(first))
    small.change([first, second])
    await settled()
    expect(delivered.filter(one => one.answer.type === 'wallet.changed')).toEqual([])
  })

  test('connects silently a wallet that is not connected in this page yet', async () => {
    const small = smallWallet()
    const { ask } = await page(small.wallet)
    await ask(watching(second))
    expect(small.calls).toEqual([{ method: 'connect', input: { silent: true } }])
    expect((await ask(signing(first)))?.type).toBe('wallet.signed')
  })

  test('follows a connection watched twice once, under the newer effect', async () => {
    const small = smallWallet()
    const { ask, perform, delivered } = await page(small.wallet)
    await ask(connecting())
    perform(watching(first))
    const newer = perform(watching(first))
    expect(small.followers()).toBe(1)
    small.change([second])
    await settled()
    expect(delivered.filter(one => one.answer.type === 'wallet.changed').map(one => one.effectId)).toEqual([newer])
  })

  test('tells a wallet’s own names for its accounts, in one line, and a new name', async () => {
    const named = (of: Account, label: unknown) => ({ ...of, label }) as Account
    const small = smallWallet({ accounts: [named(first, ' Savings\u202e\n'), named(second, 7)] })
    const { ask, perform, delivered } = await page(small.wallet)
    expect(await ask(connecting())).toMatchObject({
      accounts: [first.address, second.address],
      labels: [{ account: first.address, label: 'Savings' }],
    })
    perform(watching(first))
    small.change([named(first, 'Rent'), second])
    await settled()
    expect(delivered.at(-1)?.answer).toMatchObject({ labels: [{ account: first.address, label: 'Rent' }] })
    const told = delivered.length
    // A key in place of a name would stay in the log
    small.change([named(first, 'Rent'), named(second, '5'.repeat(44))])
    await settled()
    expect(delivered).toHaveLength(told)
  })

  test('tells the newest of several changes without a core', async () => {
    const small = smallWallet()
    const { ask, perform, delivered, wallets, core } = await page(small.wallet)
    await ask(connecting())
    perform(watching(first))
    core.up = false
    small.change([second])
    await settled()
    small.change([account(3)])
    await settled()
    core.up = true
    wallets.redeliver()
    await settled()
    expect(delivered.flatMap(one => (one.answer.type === 'wallet.changed' ? one.answer.accounts : []))).toEqual([
      account(3).address,
    ])
  })

  test('follows a wallet that leaves and comes back', async () => {
    const small = smallWallet()
    const { ask, perform, announce, delivered } = await page()
    const leave = announce(small.wallet)
    await ask(connecting())
    perform(watching(first))
    leave()
    expect(small.followers()).toBe(0)
    announce(small.wallet)
    small.change([second])
    await settled()
    expect(delivered.at(-1)?.answer).toMatchObject({ type: 'wallet.changed', accounts: [second.address] })
  })

  test.each([
    ['no list', 'all'],
    ['nothing', undefined],
  ])('ignores a change with %s', async (_, accounts) => {
    const small = smallWallet()
    const { ask, perform, delivered } = await page(small.wallet)
    await ask(connecting())
    perform(watching(first))
    small.change(accounts)
    await settled()
    expect(delivered.filter(one => one.answer.type === 'wallet.changed')).toEqual([])
  })

  test('disconnects a wallet, and no longer follows it', async () => {
    const small = smallWallet({ disconnect: () => small.change([]) })
    const { ask, perform, delivered } = await page(small.wallet)
    await ask(connecting())
    perform(watching(first))
    perform({ type: 'wallet.disconnect', data: { name: 'Quill' } })
    await settled()
    expect(small.times('disconnect')).toBe(1)
    expect(small.followers()).toBe(0)
    expect(delivered.at(-1)?.answer).toMatchObject({ type: 'wallet.changed', accounts: [] })
  })

  test('ignores a wallet that cannot disconnect, or fails', async () => {
    const failing = smallWallet({ disconnect: () => Promise.reject(new Error('no')) })
    const unable = smallWallet({ name: 'Heron', without: ['standard:disconnect'] })
    const { ask, perform } = await page(failing.wallet, unable.wallet)
    for (const [at, name] of ['Quill', 'Heron'].entries()) {
      await ask(connecting(name))
      perform(watching(first, `c${at}`, name))
      perform({ type: 'wallet.disconnect', data: { name } })
    }
    await settled()
    expect([failing.followers(), unable.followers()]).toEqual([0, 0])
  })
})

test('wallets: the chain of these tests is the public devnet', () => {
  expect(devnet).toHaveLength(44)
})
