import type { EffectData, SendToBuild } from '../../../../events/effect.ts'
import { Fault } from '../../../../runtime/failure.ts'
import { toBigint } from '../../../../events/values/amount.ts'
import { sendKeys } from '../../../chains/solana/orderKeys.ts'
import type { AccountInfo } from '../../../rpc/answers.ts'
import {
  checkAddress,
  checkOddities,
  checkRecipient,
  checkToken,
  readEitherTokenAccount,
  refusedSend,
} from '../../../rpc/sendable.ts'
import type { BytesStore } from '../../bytes.ts'
import { answered, drive } from '../../drive.ts'
import type { Drive } from '../../../../runtime/host/driver.ts'
import type { Rpc } from '../rpc.ts'
import { buildFrom, type Content, lamportsOf, type MeansWithoutFee } from './assemble.ts'
import type { Payment } from './build.ts'

/** Builds a transfer's transaction: reads the recipient and the token, judges them, and simulates. */
export function createPrepareSendDriver(ports: { rpc: Rpc; bytes: BytesStore }): { 'chain.prepareSend': Drive } {
  return {
    'chain.prepareSend': drive<EffectData['chain.prepareSend']>(async ({ orderId, send }) => {
      checkAddress(send.to)
      const { reference, destination } = sendKeys(send)
      const content = contentOf(orderId, send, reference, destination)
      const { built, judged, found } = await buildFrom(ports, content, seen => {
        checkRecipient(seen[1])
        const { means, rent } = 'mint' in content.payment ? tokenMeans(send, seen) : nativeMeans(send, seen)
        checkOddities(send.to, [...send.recent, send.account], send.confirmed)
        const payment: Payment =
          content.payment.kind === 'spl' && rent !== undefined
            ? { ...content.payment, createdFor: send.to }
            : content.payment
        return { content: { ...content, payment }, means, rent }
      })
      const { rent } = judged
      const made = {
        ...(rent !== undefined && { rent: String(rent) }),
        ...(!found[1] && { unused: true as const }),
      }
      return answered({
        type: 'chain.sendPrepared',
        data: { ...built, reference, ...(destination === undefined ? {} : { destination }), ...made },
      })
    }),
  }
}

/** The first two places are the sender and the recipient; for tokens source, destination and mint follow. */
function contentOf(orderId: string, send: SendToBuild, reference: string, destination = ''): Content {
  const { account, to, units, decimals, mint, program, source = '', genesisHash, mostFee } = send
  const amount = toBigint(units)
  if (amount === 0n || amount >= 1n << 64n) {
    throw new Fault('bad_input', `a transfer expected 1 to 2^64 - 1 base units, got ${units}`, { rule: 'AMOUNT' })
  }
  const shared = { orderId, account, genesisHash, memo: '', references: [reference], ...(mostFee ? { mostFee } : {}) }
  if (mint === undefined) return { ...shared, payment: { kind: 'native', to, units: amount }, places: [account, to] }
  return {
    ...shared,
    payment: { kind: 'spl', source, mint, to: destination, units: amount, decimals, ...(program ? { program } : {}) },
    places: [account, to, source, destination, mint],
  }
}

type Found = readonly (AccountInfo | null)[]
type Judged = { means: MeansWithoutFee; rent?: bigint }

function nativeMeans({ units }: SendToBuild, found: Found): Judged {
  const treasuryLamports = BigInt(found[1]?.lamports ?? 0)
  const means = {
    kind: 'native' as const,
    lamports: lamportsOf(found),
    units: toBigint(units),
    to: 'recipient' as const,
  }
  return { means: { ...means, treasuryLamports } }
}

/** @throws Fault when the token or an account of it does not allow the transfer */
function tokenMeans({ account, to, units, decimals, mint = '', program = '' }: SendToBuild, found: Found): Judged {
  const [, , sourceAccount, destinationAccount, mintAccount] = found
  const destination = readEitherTokenAccount(destinationAccount, program)
  const rent = checkToken(mintAccount, { program, decimals }, !destination)
  const source = readEitherTokenAccount(sourceAccount, program)
  const holds = source?.owner === account && source.mint === mint ? source.amount : undefined
  if (source?.frozen || destination?.frozen) throw refusedSend('TOKEN_FROZEN', 'token accounts that are not frozen')
  if (destination && (destination.owner !== to || destination.mint !== mint))
    throw refusedSend('RECIPIENT_ACCOUNT', "the recipient's token account to be its own, it is another's")
  const means = {
    kind: 'spl' as const,
    symbol: mint.slice(0, 8),
    lamports: lamportsOf(found),
    units: toBigint(units),
    holds,
  }
  return destination ? { means } : { means: { ...means, rent }, rent }
}
