import { fromBase64 } from './bytes.ts'
import type { Chain } from './chain.ts'
import type { Faults } from './faults.ts'
import { SLOT_ORDERS, type SlotOrder, type TransactionIndex } from './methods/params.ts'
import { land } from './methods/send.ts'
import type { Operator } from './presale/operator.ts'
import { NOTICE_FILES, type NoticesFile, type Publication, TERMS_FILES, type TermsFile } from './publication.ts'
import { readTransaction } from './wire.ts'

/** Settings of the control endpoint. */
export type Switches = {
  /** slots opened right after each accepted transaction; for callers that cannot drive a manual clock in between */
  advanceOnSend: number
  transactionIndex: TransactionIndex
  slotOrder: SlotOrder
  /** transactions that the `hold` fault accepted and that wait for `release` */
  held: Uint8Array[]
}

export type Controlled = {
  chain: Chain
  faults: Faults
  operator: Operator
  publication: Publication
  switches: Switches
  dropSockets(): void
}

const ORDERS: Record<string, (on: Controlled, value: unknown) => void> = {
  advance: ({ chain }, value) => chain.advance(whole('advance', value, 100_000)),
  advanceSeconds: ({ chain }, value) =>
    chain.setTime(chain.blocks.tip().time + whole('advanceSeconds', value, 10 ** 9)),
  setTime: ({ chain }, value) => chain.setTime(whole('setTime', value, 4_102_444_800)),
  faults: ({ faults }, value) => faults.set(value),
  advanceOnSend(on, value) {
    on.switches.advanceOnSend = whole('advanceOnSend', value, 1_000)
  },
  transactionIndex(on, value) {
    const known: [unknown, TransactionIndex][] = [
      [true, 'right'],
      [false, 'absent'],
      ['wrong', 'wrong'],
    ]
    const found = known.find(([given]) => given === value)
    if (!found) throw new Error(`transactionIndex expected true, false or "wrong", got ${JSON.stringify(value)}`)
    on.switches.transactionIndex = found[1]
  },
  callUnits: ({ chain }, value) => chain.vm.setCallUnits(BigInt(whole('callUnits', value, 1_400_000))),
  slotOrder(on, value) {
    on.switches.slotOrder = oneOf<SlotOrder>('slotOrder', value, SLOT_ORDERS)
  },
  fork({ chain, operator }, value) {
    const { slots, transactions = 'gone' } = (value ?? {}) as Record<string, unknown>
    const fate = oneOf('transactions of a fork', transactions, ['gone', 'again'] as const)
    const lost = chain.fork(whole('slots of a fork', slots, Number.MAX_SAFE_INTEGER))
    if (fate === 'again')
      for (const { bytes } of lost) land(chain, readTransaction(fromBase64(bytes) ?? new Uint8Array(0)))
    operator.resend()
  },
  release({ chain, switches }, value) {
    if (value === true) for (const bytes of switches.held.splice(0)) land(chain, readTransaction(bytes))
  },
  sockets(on, value) {
    if (value !== 'drop') throw new Error(`sockets expected "drop", got ${JSON.stringify(value)}`)
    on.dropSockets()
  },
  operator: (on, value) => command(on, value),
}

/**
 * Carries out a control order, field by field.
 *
 * @throws Error with a sentence at the first invalid field; earlier fields stay in effect
 */
export function control(on: Controlled, order: unknown): void {
  if (order === null || typeof order !== 'object' || Array.isArray(order))
    throw new Error(`control expected a JSON record, got ${JSON.stringify(order)}`)
  for (const [name, value] of Object.entries(order)) {
    const run = Object.hasOwn(ORDERS, name) ? ORDERS[name] : undefined
    if (!run) throw new Error(`control knows ${Object.keys(ORDERS).join(', ')}; got ${JSON.stringify(name)}`)
    run(on, value)
  }
}

function command({ operator, publication }: Controlled, value: unknown): void {
  if (value === null || typeof value !== 'object') throw new Error('operator expected a JSON record')
  for (const [verb, arg] of Object.entries(value)) {
    if (verb === 'termsFile') {
      publication.termsFile = oneOf<TermsFile>(verb, arg, TERMS_FILES)
    } else if (verb === 'noticesFile') {
      publication.noticesFile = oneOf<NoticesFile>(verb, arg, NOTICE_FILES)
    } else if (verb === 'announce') {
      if (arg === true) operator.notice('terms', publication.termsHash())
    } else if (verb === 'replace') {
      const isText = (one: unknown) => one === null || typeof one === 'string'
      if (arg === null || typeof arg !== 'object' || !Object.values(arg).every(isText))
        throw new Error(`replace expected texts or null by file name, got ${JSON.stringify(arg)}`)
      publication.replaced = { ...arg } as Publication['replaced']
    } else if (verb === 'checkpoint') {
      if (arg === true) operator.checkpoint()
    } else if (verb === 'sellOut') {
      if (arg === true) operator.sellOut()
    } else if (verb === 'pause' || verb === 'resume' || verb === 'close') {
      if (arg === true) operator.notice(verb)
    } else {
      const known = 'checkpoint, sellOut, pause, resume, close, announce, termsFile, noticesFile, replace'
      throw new Error(`operator knows ${known}; got ${JSON.stringify(verb)}`)
    }
  }
}

function oneOf<T extends string>(name: string, value: unknown, known: readonly T[]): T {
  const found = known.find(one => one === value)
  if (found === undefined) throw new Error(`${name} expected ${known.join(', ')}, got ${JSON.stringify(value)}`)
  return found
}

function whole(name: string, value: unknown, max: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > max)
    throw new Error(`${name} expected a whole number from 0 to ${max}, got ${JSON.stringify(value)}`)
  return value
}
