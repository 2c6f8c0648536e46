/** Accounts that refunds and tokens go to, as the chain has them. */
import { describe, expect, test } from 'vitest'
import { openNode } from '../../../../scripts/presale/node.ts'
import type { RefundClaim } from '../../../../scripts/presale/payouts/claims.ts'
import { approvalsIn, refundsDue, tokensDue } from '../../../../scripts/presale/payouts/payees.ts'
import { base58, concat, sha256 } from '../../../stack/solana/bytes.ts'
import { seededKeypair } from '../../../stack/solana/keys.ts'
import { giveUsdc } from '../../../stack/solana/presale/purchases.ts'
import { associatedAccount, MEMO, SYSTEM } from '../../../stack/solana/programs.ts'
import { callOf, openWorld } from './world.ts'

const world = openWorld('payees')
const { chain, accounts } = world
const node = openNode('http://chain.test', { call: callOf(chain), wait: async () => world.pass() })
const { terms } = world.sale.first
/** Terms whose refunds have no minimum above 1. */
const lowTerms = { ...terms, refund: { ...terms.refund, minUnits: { SOL: '1', USDC: '1' } } }
const usdc = accounts.usdcMint.address

const wallet = (name: string) => seededKeypair('payees', name)
let claims = 0
const claim = (
  asset: string,
  units: bigint,
  source?: { account: string; owner: string },
  reason = 'late',
): RefundClaim => {
  claims += 1
  return {
    of: `${claims}:refund`,
    asset,
    units,
    reason,
    signature: base58(concat(sha256(`${claims}`), sha256('b'))),
    source,
  }
}
const solOf = (name: string, units: bigint) => {
  const { address } = wallet(name)
  return claim('SOL', units, { account: address, owner: address })
}
const due = (list: RefundClaim[], approve: string[] = [], of = terms) =>
  refundsDue(node, of, list, approvalsIn(approve))

/** A USDC account with 5 USDC; `change` alters its data. */
function usdcAccount(name: string, change: (data: Uint8Array) => Uint8Array = data => data): string {
  const { address } = wallet(name)
  chain.airdrop(address, 10_000_000n)
  giveUsdc(chain, accounts, address, 5_000_000n)
  const token = associatedAccount(address, usdc)
  const account = chain.accounts.now(token)
  if (account) chain.accounts.place(token, { ...account, data: change(account.data) })
  world.pass()
  return token
}

describe('a refund of SOL', () => {
  test('goes to its funding signer, several of one payee in one payment', async () => {
    const list = [solOf('anna', 2_000_000n), solOf('ben', 3_000_000n), solOf('anna', 4_000_000n)]
    const found = await due(list)
    const anna = found.find(({ owner }) => owner === wallet('anna').address)
    expect(anna).toMatchObject({ to: wallet('anna').address, units: 6_000_000n, of: [list[0]?.of, list[2]?.of] })
    expect(found).toHaveLength(2)
  })

  test('goes to an exchange with more lamports than a double counts', async () => {
    const { address } = chain.faucet
    const found = await due([claim('SOL', 2_000_000n, { account: address, owner: address })])
    expect(world.held(address)).toBeGreaterThan(BigInt(Number.MAX_SAFE_INTEGER))
    expect(found).toMatchObject([{ to: address, units: 2_000_000n }])
  })

  test('below the terms’ minimum is left apart with its amount', async () => {
    expect(await due([solOf('cleo', 999_999n)])).toMatchObject([{ units: 999_999n, why: 'below_minimum' }])
    expect(await due([solOf('cleo', 999_999n), solOf('cleo', 1n)])).not.toMatchObject([{ why: 'below_minimum' }])
  })

  test('that would leave an empty wallet with less than 890,880 lamports is unpayable until it holds more', async () => {
    expect(await due([solOf('dora', 890_879n)], [], lowTerms)).toMatchObject([{ why: 'unpayable', units: 890_879n }])
    expect(await due([solOf('dora', 890_880n)], [], lowTerms)).not.toMatchObject([{ why: 'unpayable' }])
    chain.airdrop(wallet('dora').address, 890_880n)
    world.pass()
    expect(await due([solOf('dora', 1n)], [], lowTerms)).not.toMatchObject([{ why: 'unpayable' }])
  })
})

describe('a refund of tokens', () => {
  const source = (name: string, account: string) => ({ account, owner: wallet(name).address })

  test('goes to the account that it came from, while it is open and its owner’s', async () => {
    const account = usdcAccount('emil')
    expect(await due([claim('USDC', 10_000n, source('emil', account))])).toMatchObject([{ to: account, create: false }])
  })

  test('goes to its owner’s associated account, which is created, when the source is closed', async () => {
    const closed = base58(sha256('closed'))
    const { address } = wallet('fritz')
    const found = await due([claim('USDC', 10_000n, source('fritz', closed))])
    expect(found).toMatchObject([{ owner: address, to: associatedAccount(address, usdc), create: true }])
  })

  test('does not go to a source that has another owner now', async () => {
    const account = usdcAccount('gina', data => concat(data.slice(0, 32), wallet('thief').publicKey, data.slice(64)))
    const { address } = wallet('hugo')
    const [found] = await due([claim('USDC', 10_000n, source('hugo', account))])
    expect(found).toMatchObject({ owner: address, to: associatedAccount(address, usdc) })
  })

  test('of an account’s owner is no other’s, whose associated account it is', async () => {
    const account = usdcAccount('karl', data => concat(data.slice(0, 32), wallet('lena').publicKey, data.slice(64)))
    const hers = claim('USDC', 10_000n, source('lena', account))
    const approved = claim('USDC', 30_000n, undefined, 'inner')
    const approve = [`${approved.signature}=${wallet('karl').address}`]
    for (const his of [claim('USDC', 30_000n, source('karl', account)), approved])
      for (const list of [
        [hers, his],
        [his, hers],
      ]) {
        const found = await due(list, his === approved ? approve : [])
        expect(found).toHaveLength(2)
        const [karl, lena] = ['karl', 'lena'].map(name => found.find(({ owner }) => owner === wallet(name).address))
        expect(karl).toMatchObject({ units: 30_000n, of: [his.of], why: 'unpayable' })
        expect(lena).toMatchObject({ to: account, units: 10_000n, of: [hers.of] })
        expect(lena?.why).toBeUndefined()
      }
  })

  test('whose accounts are frozen is unpayable', async () => {
    const account = usdcAccount('ida', data => concat(data.slice(0, 108), Uint8Array.of(2), data.slice(109)))
    expect(await due([claim('USDC', 10_000n, source('ida', account))])).toMatchObject([
      { why: 'unpayable', units: 10_000n },
    ])
  })
})

describe('a payment without a known payer', () => {
  test.each(['no_memo', 'inner'])('(%s) waits for an approval, and goes to the approved payee alone', async reason => {
    const { address } = wallet('exchange')
    const one = claim('SOL', 5_000_000n, { account: address, owner: address }, reason)
    expect(await due([one])).toMatchObject([{ owner: null, to: null, why: 'needs_approval', units: 5_000_000n }])
    const payee = wallet('real payer').address
    const [approved] = await due([one], [`${one.signature}=${payee}`])
    expect(approved).toMatchObject({ owner: payee, to: payee, units: 5_000_000n })
    expect(approved?.why).toBeUndefined()
  })

  test.each([
    [(one: RefundClaim) => [`${one.signature}=${one.signature}`], 'expected SIGNATURE=PAYEE in base58'],
    [(one: RefundClaim) => [`${one.signature}=${usdc}=1`], 'expected SIGNATURE=PAYEE in base58'],
    [(one: RefundClaim) => [`${one.signature}=${usdc}`, `${one.signature}=${usdc}`], 'expected one payee of'],
    [() => [`${base58(new Uint8Array(64).fill(1))}=${usdc}`], 'got a signature without a claim of this plan'],
  ])('with a wrong approval is refused', async (approve, sentence) => {
    const one = claim('SOL', 5_000_000n, undefined, 'inner')
    await expect((async () => due([one], approve(one)))()).rejects.toThrow(sentence)
  })

  test('is never the treasury’s, which pays', async () => {
    const one = claim('SOL', 5_000_000n, undefined, 'inner')
    await expect(due([one], [`${one.signature}=${terms.treasury}`])).rejects.toThrow(
      `--approve expected another payee than the treasury, which pays, got ${one.signature}=${terms.treasury}`,
    )
  })

  describe('is refused as payee', () => {
    const holder = wallet('holder').address
    const place = (name: string, owner: string, data: Uint8Array) => {
      chain.accounts.place(wallet(name).address, { lamports: 10_000_000n, owner, data, executable: false })
      world.pass()
      return wallet(name).address
    }
    const deployed = () => {
      const { address } = wallet('deployed')
      const program = chain.accounts.now(MEMO)
      if (program) chain.accounts.place(address, program)
      world.pass()
      return address
    }
    test.each([
      ['a token account', () => usdcAccount('holder'), `a token account of ${holder}, which is the likely wallet`],
      ['a mint', () => usdc, 'the mint of a token'],
      ['a deployed program', deployed, 'a program'],
      ['the memo program', () => MEMO, 'a program or an account of the chain itself'],
      ['the System program', () => SYSTEM, 'a program or an account of the chain itself'],
      ['the clock', () => 'SysvarC1ock11111111111111111111111111111111', 'a program or an account of the chain itself'],
      [
        'a sysvar without an account',
        () => 'SysvarFees111111111111111111111111111111111',
        'a program or an account of',
      ],
      ['a program’s state', () => place('state', MEMO, new Uint8Array(8)), `an account of the program ${MEMO}`],
      ['a nonce account', () => place('nonce', SYSTEM, new Uint8Array(80)), `an account of the program ${SYSTEM}`],
    ])('%s', async (_, payee, sentence) => {
      const address = payee()
      for (const asset of ['SOL', 'USDC']) {
        const one = claim(asset, 5_000_000n, undefined, 'inner')
        await expect(due([one], [`${one.signature}=${address}`])).rejects.toMatchObject({
          code: 'bad_input',
          message: expect.stringContaining(
            `--approve expected the address of a wallet as payee of ${one.signature}, got ${address}, ${sentence}`,
          ),
        })
      }
    })
  })

  test('goes to an approved vault, which no key can sign for, and to a wallet that is new to the chain', async () => {
    const vault = associatedAccount(wallet('vault').address, usdc)
    for (const [payee, lamports] of [
      [vault, 0n],
      [vault, 5_000_000n],
      [wallet('new').address, 0n],
    ] as const) {
      if (lamports > 0n) chain.airdrop(payee, lamports)
      world.pass()
      for (const asset of ['SOL', 'USDC']) {
        const one = claim(asset, 5_000_000n, undefined, 'inner')
        const [found] = await due([one], [`${one.signature}=${payee}`])
        expect([found?.owner, found?.why]).toEqual([payee, undefined])
      }
    }
  })

  test('that needs none is refused an approval', async () => {
    const one = solOf('anna', 2_000_000n)
    await expect(due([one], [`${one.signature}=${usdc}`])).rejects.toThrow('got one with status late, which needs none')
  })
})

describe('what the paying account is owed itself', () => {
  test('is left apart: SOL of the treasury, and tokens whose owner it is', async () => {
    const { treasury } = terms
    const list = [
      claim('SOL', 5_000_000n, { account: treasury, owner: treasury }),
      claim('USDC', 10_000n, { account: base58(sha256('closed')), owner: treasury }),
      claim('USDC', 10_000n, { account: associatedAccount(treasury, usdc), owner: treasury }),
    ]
    const found = await due(list)
    expect(found).toMatchObject([
      { asset: 'SOL', units: 5_000_000n, why: 'paying_account' },
      { asset: 'USDC', units: 20_000n, why: 'paying_account' },
    ])
  })

  test('is left apart: tokens of the reserve’s owner, whose associated account it is', async () => {
    const { address } = accounts.reserve
    const shares = [1n, 0n].map(units => ({ owner: address, of: `${units}:${address}`, units }))
    const found = await tokensDue(node, terms, shares, accounts.reserveTokens)
    expect(found.map(({ why }) => why)).toEqual(['paying_account', 'zero'])
    const [other] = await tokensDue(node, terms, shares, base58(sha256('another reserve')))
    expect(other?.why).toBeUndefined()
  })
})

describe('tokens', () => {
  test('of 0 are left apart; accounts that are missing are created', async () => {
    const shares = ['anna', 'ben'].map((name, at) => {
      return { owner: wallet(name).address, of: `0:${wallet(name).address}`, units: BigInt(at) }
    })
    const found = await tokensDue(node, terms, shares, accounts.reserveTokens)
    expect(found.find(({ units }) => units === 0n)).toMatchObject({ why: 'zero' })
    expect(found.find(({ units }) => units === 1n)).toMatchObject({ create: true })
  })

  test('of a sale without a mint are refused', async () => {
    const noMint = { ...terms, token: { ...terms.token, mint: null } }
    await expect(tokensDue(node, noMint, [], accounts.reserveTokens)).rejects.toThrow(
      'expected a mint of MAI, got none',
    )
  })
})
