/**
 * Signed and unsigned transactions, changed: none that is not the agreed order passes the check before a wallet's request or the one
 * before sending, and none that is it is refused.
 *
 * - `drainer`: one of the named drainers, in a disguise.
 * - `bytes`: an honest message with some of its bytes changed: unsigned, signed by the buyer as it is now, or with the signature of
 *   before. A second judge, which shares no code with the product, says whether it is still the order.
 * - `honest`: an order as the page builds it, or as a wallet signs it after additions of its own.
 *
 * A case depends on seed and number alone, so that any of them can be repeated.
 */
import { type Random, randomOf } from '../../../../fuzz/random.ts'
import {
  builtOrder,
  disguised,
  dressedOrder,
  harmless,
  isAsked,
  isSent,
  type Judged,
} from '../../../../hostile/disguises.ts'
import { drainers } from '../../../../hostile/drainers.ts'
import { signedBy } from '../../../../hostile/make.ts'
import { buyer } from '../../../../worker/chains/solana/exampleOrder.ts'
import { counted, countOne, mostTold, type OnDone, type ProofReport } from '../report.ts'
import { mayBeAsked, mayBeSent } from './secondJudge.ts'

type Checks = { asked(of: Judged): boolean; sent(of: Judged): Promise<boolean> }

type MutationsAsked = {
  seed: number
  mutations: number
  /** this case alone */
  only?: number | undefined
  checks?: Checks
  onDone?: OnDone
}

/** `expected`: whether it is the order; `got`: whether the product takes it. */
type Outcome = { kind: string; name: string; expected: boolean; got: boolean }

/** Honest messages whose bytes are changed. */
const bases = 64
const signatureBytes = 64

/** Judges changed transactions. */
export async function proveMutations(asked: MutationsAsked): Promise<ProofReport> {
  const { seed, mutations, only, checks = { asked: isAsked, sent: isSent }, onDone } = asked
  const honest = Array.from({ length: bases }, (_, at) => baseOf(seed, at))
  const kinds: Record<string, number> = {}
  const told: string[] = []
  const count = { falseAccepts: 0, falseRefusals: 0, orders: 0 }
  const first = only ?? 1
  const last = only ?? mutations
  for (let number = first; number <= last; number += 1) {
    const { kind, name, expected, got } = await judged(seed, number, honest, checks)
    countOne(kinds, kind)
    if (expected) count.orders += 1
    if (expected !== got) {
      count[expected ? 'falseRefusals' : 'falseAccepts'] += 1
      if (told.length < mostTold)
        told.push(
          `case ${number} (${name}) was ${got ? 'accepted' : 'refused'}; again: npm run presale:proof -- --part mutations --seed ${seed} --case ${number}`,
        )
    }
    onDone?.(number - first + 1, last - first + 1)
  }
  const done = last - first + 1
  const { falseAccepts, falseRefusals, orders } = count
  return {
    proof: 'mutations',
    number: 8,
    holds: falseAccepts + falseRefusals === 0 && done > 0,
    figures: { seed, mutations: done, ...count, kinds, told },
    lines: [
      `${done} transactions (${counted(kinds)}), ${orders} of them the agreed order, seed ${seed}`,
      `${falseAccepts} false accepts, ${falseRefusals} false refusals`,
      ...told,
    ],
  }
}

async function judged(
  seed: number,
  number: number,
  honest: readonly Judged[],
  { asked, sent }: Checks,
): Promise<Outcome> {
  const name = `mutations ${seed} ${number}`
  const random = randomOf(name)
  const choice = random.below(100)
  if (choice < 12) {
    const isTransfer = random.oneIn(3)
    const drainer = random.pick(drainers.filter(one => !isTransfer || !harmless.includes(one.name)))
    const made = disguised(drainer, name, isTransfer)
    const isUnsigned = made.asked !== undefined && random.oneIn(2)
    const got = isUnsigned && made.asked ? asked(made.asked()) : await sent(made.sent())
    return { kind: `drainer ${isUnsigned ? 'unsigned' : 'signed'}`, name: drainer.name, expected: false, got }
  }
  if (choice < 20) {
    const kind = 'honest signed'
    return { kind, name: 'additions of a wallet', expected: true, got: await sent(dressedOrder(name)) }
  }
  if (choice < 24) {
    const built = builtOrder(name)
    const signed = { ...built, bytes: signedBy(built.bytes, buyer) }
    return { kind: 'honest', name: 'as built', expected: true, got: asked(built) && (await sent(signed)) }
  }
  const { bytes, as } = random.pick(honest)
  const changed = changedMessage(random, bytes, random.pick(honest).bytes)
  if (random.oneIn(3)) {
    const got = asked({ bytes: changed, as })
    return { kind: 'bytes unsigned', name: 'changed bytes', expected: mayBeAsked(changed, as), got }
  }
  const isStale = random.oneIn(6)
  const signed = isStale ? withSignatureOf(signedBy(bytes, buyer), changed) : signedBy(changed, buyer)
  const got = await sent({ bytes: signed, as })
  const kind = isStale ? 'bytes under the signature of before' : 'bytes signed anew'
  return { kind, name: 'changed bytes', expected: mayBeSent(signed, as), got }
}

/** An unsigned message: half as built, half with a wallet's additions. */
function baseOf(seed: number, at: number): Judged {
  return at % 2 === 0 ? builtOrder(`base ${seed} ${at}`) : dressedOrder(`base ${seed} ${at}`)
}

/** One to three changes behind the signatures. */
function changedMessage(random: Random, from: Uint8Array, other: Uint8Array): Uint8Array {
  let bytes = [...from]
  const place = () => 1 + signatureBytes + random.below(bytes.length - 1 - signatureBytes)
  for (let left = 1 + random.below(3); left > 0; left -= 1) {
    const at = place()
    switch (random.below(9)) {
      case 0:
        bytes[at] = (bytes[at] ?? 0) ^ (1 << random.below(8))
        break
      case 1:
        bytes[at] = random.pick([0, 1, 2, 127, 128, 255, (bytes[at] ?? 0) + 1, (bytes[at] ?? 0) - 1]) & 255
        break
      case 2:
        bytes.splice(at, 1)
        break
      case 3:
        bytes.splice(at, 0, random.below(256))
        break
      case 4: {
        const to = place()
        const [a = 0, b = 0] = [bytes[at], bytes[to]]
        bytes[at] = b
        bytes[to] = a
        break
      }
      // A part of another order at the same place, and a key in place of another
      case 5: {
        const part = other.slice(at, at + 1 + random.below(40))
        bytes.splice(at, part.length, ...part)
        break
      }
      case 6:
      case 7: {
        const keysFrom = 1 + signatureBytes + 4
        const [a, b] = [keysFrom + 32 * random.below(9), keysFrom + 32 * random.below(9)]
        if (Math.max(a, b) + 32 > bytes.length) break
        const [first, second] = [bytes.slice(a, a + 32), bytes.slice(b, b + 32)]
        bytes.splice(a, 32, ...second)
        if (random.oneIn(2)) bytes.splice(b, 32, ...first)
        break
      }
      default:
        bytes = bytes.slice(0, random.oneIn(4) ? at : bytes.length)
    }
  }
  return Uint8Array.from(bytes)
}

function withSignatureOf(signed: Uint8Array, changed: Uint8Array): Uint8Array {
  const bytes = Uint8Array.from(changed)
  bytes.set(signed.subarray(1, 1 + signatureBytes), 1)
  return bytes
}
