import { ed25519 } from '@noble/curves/ed25519.js'
import { getAssociatedTokenAddressSync, TOKEN_2022_PROGRAM_ID, TOKEN_PROGRAM_ID } from '@solana/spl-token'
import { Keypair, PublicKey } from '@solana/web3.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../../../src/runtime/failure.ts'
import { associatedTokenAddress, isOnCurve, programAddress } from '../../../../src/worker/chains/solana/ata.ts'
import { buyerRef, noticeRef, orderRef, presaleRef } from '../../../../src/worker/chains/solana/references.ts'

const authority = '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3'
const buyer = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
const presale = '6TP5qTcH47bvuewpv43TfHgrCU8hKAGKuXY6bHsCEXVr'

describe('reference keys', () => {
  test('are those of the published vectors', () => {
    expect(presaleRef(authority, 'mai-presale-1')).toBe(presale)
    expect(buyerRef(presale, buyer)).toBe('At8cGsPmPkuvcvNe4wtbxSiqNtUxw43Kqa6XWXKEGeQv')
    expect(orderRef(presale, buyer, '5b0e9d7c31f4a826')).toBe('FDCPLBDvXwCwLnxokbB1FuTQD4MvpE1JHJoJWdemNEyT')
    expect(noticeRef(presale)).toBe('8kyiMfQWSLCH1VXS2QcstArTxoa5riSF5t4zkYJeuVMG')
  })

  test('of an invalid key are refused', () => {
    expect(() => presaleRef('nobody', 'mai-presale-1')).toThrow(Fault)
    expect(() => buyerRef(presale, `${buyer}1`)).toThrow(Fault)
    expect(() => orderRef(presale, buyer, '5B0E9D7C31F4A826')).toThrow(/16 lower-case hex/)
    expect(() => orderRef(presale, buyer, '5b0e')).toThrow(Fault)
  })
})

describe('token accounts', () => {
  test('are those of the token library, for wallets and for addresses off the curve', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), fc.boolean(), (seed, newer) => {
        const program = newer ? TOKEN_2022_PROGRAM_ID : TOKEN_PROGRAM_ID
        const wallet = Keypair.fromSeed(seed).publicKey
        const mint = new PublicKey(seed)
        for (const owner of [wallet, mint]) {
          expect(associatedTokenAddress(owner.toBase58(), mint.toBase58(), program.toBase58())).toBe(
            getAssociatedTokenAddressSync(mint, owner, true, program).toBase58(),
          )
        }
      }),
      { numRuns: 30 },
    )
  })

  test('the curve test agrees with the one of web3.js', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => {
        expect(isOnCurve(bytes)).toBe(PublicKey.isOnCurve(bytes))
      }),
      { numRuns: 200 },
    )
  })

  test('the curve test agrees with noble’s lenient reading, for thousands of points and other values', () => {
    const lenient = (bytes: Uint8Array) => {
      try {
        ed25519.Point.fromBytes(bytes, true)
        return true
      } catch {
        return false
      }
    }
    // Small y, y from p on, both signs: the non-canonical encodings
    const edges = [0n, 1n, 2n ** 255n - 20n, 2n ** 255n - 19n, 2n ** 255n - 18n, 2n ** 255n - 1n]
      .flatMap(y => [y, y | (1n << 255n)])
      .map(y => Uint8Array.from({ length: 32 }, (_, at) => Number((y >> BigInt(8 * at)) & 255n)))
    for (const bytes of edges) expect([bytes, isOnCurve(bytes)]).toEqual([bytes, lenient(bytes)])
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), bytes => isOnCurve(bytes) === lenient(bytes)),
      { numRuns: 2000 },
    )
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), seed => isOnCurve(ed25519.getPublicKey(seed))),
      { numRuns: 50 },
    )
  }, 60_000)

  test('published program addresses are off the curve, keys of people on it, other lengths neither', () => {
    const wallet = new PublicKey(buyer)
    const account = getAssociatedTokenAddressSync(new PublicKey(authority), wallet)
    expect(isOnCurve(account.toBytes())).toBe(false)
    expect(isOnCurve(wallet.toBytes())).toBe(true)
    expect(isOnCurve(wallet.toBytes().slice(1))).toBe(false)
    expect(isOnCurve(new Uint8Array(33))).toBe(false)
  })

  test('a program address agrees with the one of web3.js', () => {
    const program = new PublicKey(authority)
    const seeds = [Uint8Array.of(1, 2, 3), new Uint8Array(32).fill(4)]
    expect(programAddress(seeds, program.toBytes())).toBe(
      PublicKey.findProgramAddressSync(seeds, program)[0].toBase58(),
    )
  })

  test('of a key of the wrong length are refused', () => {
    expect(() => associatedTokenAddress('abc', buyer)).toThrow(/owner expected base58 of 32 bytes, got 3 characters/)
  })
})
