import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Addresses } from '../../../../src/main/config.ts'
import { signInWithSolana } from '../../../../src/main/embed/signing/signInWithSolana.ts'
import { lacks } from '../../../../src/main/drivers/wallets/announced.ts'
import type { Page } from '../../../../src/main/page/page.tsx'
import { Fault } from '../../../../src/runtime/failure.ts'
import { account, connected, stage } from '../../../ui/modalStage.ts'

const here = { host: 'sale.example:8443', origin: 'https://sale.example:8443' }
const signature = new Uint8Array(64).fill(9)
const signedMessage = new TextEncoder().encode('what the wallet wrote')
const calls = { signIn: vi.fn(), signMessage: vi.fn() }
let on: ReturnType<typeof stage>
beforeEach(() => {
  calls.signIn.mockReset().mockResolvedValue({ account, signedMessage, signature })
  calls.signMessage.mockReset().mockResolvedValue(signature)
  on = stage()
})
const signIn = (input?: unknown) => {
  const page = { store: on.store, started: Promise.resolve({ signing: async () => calls }) } as unknown as Page
  return signInWithSolana({ page, addresses: {} as Addresses, here }, input)
}

describe('Sign-In with Solana', () => {
  test('is the wallet’s own statement, for the page’s own domain and the connected account', async () => {
    on.facts(connected('Nib'))
    expect(await signIn({ nonce: 'n0nce123', statement: 'Hello' })).toEqual({ account, signedMessage, signature })
    expect(calls.signIn.mock.calls).toEqual([
      [
        { name: 'Nib' },
        { domain: here.host, uri: here.origin, nonce: 'n0nce123', statement: 'Hello', address: account },
      ],
    ])
    expect(calls.signMessage).not.toHaveBeenCalled()
  })

  test('is the same text as a message where the wallet lacks the feature', async () => {
    on.facts(connected('Nib'))
    calls.signIn.mockRejectedValue(lacks('signIn'))
    const signed = await signIn({
      statement: 'Hello',
      version: '1',
      chainId: 'mainnet',
      nonce: 'n0nce123',
      issuedAt: '2026-11-27T00:00:00Z',
      expirationTime: '2026-11-28T00:00:00Z',
      notBefore: '2026-11-26T00:00:00Z',
      requestId: 'r1',
      resources: ['https://sale.example/terms', 'https://sale.example/privacy'],
    })
    expect(
      new TextDecoder().decode(signed.signedMessage),
    ).toBe(`sale.example:8443 wants you to sign in with your Solana account:
${account}

Hello

URI: https://sale.example:8443
Version: 1
Chain ID: mainnet
Nonce: n0nce123
Issued At: 2026-11-27T00:00:00Z
Expiration Time: 2026-11-28T00:00:00Z
Not Before: 2026-11-26T00:00:00Z
Request ID: r1
Resources:
- https://sale.example/terms
- https://sale.example/privacy`)
    expect([signed.account, signed.signature]).toEqual([account, signature])
    expect(calls.signMessage.mock.calls).toEqual([[{ name: 'Nib', account }, signed.signedMessage]])
  })

  test('without fields has the domain, the account and the page', async () => {
    on.facts(connected('Nib'))
    calls.signIn.mockRejectedValue(lacks('signIn'))
    const { signedMessage: text } = await signIn()
    expect(new TextDecoder().decode(text).split('\n')).toEqual([
      'sale.example:8443 wants you to sign in with your Solana account:',
      account,
      '',
      'URI: https://sale.example:8443',
    ])
  })

  test('of another account is refused, and a refusal is not asked again as a message', async () => {
    on.facts(connected('Nib'))
    calls.signIn.mockResolvedValueOnce({ account: 'A'.repeat(44), signedMessage, signature })
    await expect(signIn()).rejects.toMatchObject({ code: 'account_changed' })
    calls.signIn.mockRejectedValueOnce(new Fault('user_rejected', 'Nib declined'))
    await expect(signIn()).rejects.toMatchObject({ code: 'user_rejected' })
    expect(calls.signMessage).not.toHaveBeenCalled()
  })

  test('needs a connected wallet', async () => {
    await expect(signIn()).rejects.toMatchObject({ code: 'unauthorized' })
  })

  test.each([
    ['no object', 'hello', 'input expected an object'],
    ['an unknown field', { colour: 'red' }, 'got colour'],
    [
      'a statement that writes other lines',
      { statement: 'a\nURI: https://evil.example' },
      'statement expected one line',
    ],
    ['a short nonce', { nonce: '1' }, 'nonce expected at least 8 letters or digits'],
    ['a resource that is no text', { resources: [7] }, 'one line'],
    ['a text of directions', { domain: '\u202Emoc.elas' }, 'domain expected one line'],
  ])('refuses %s before any prompt', async (_, input, sentence) => {
    on.facts(connected('Nib'))
    await expect(signIn(input)).rejects.toMatchObject({ code: 'bad_input', message: expect.stringContaining(sentence) })
    expect(calls.signIn).not.toHaveBeenCalled()
  })
})
