/** The verdict on kills, with a log that has one error at a time. */
import { describe, expect, test } from 'vitest'
import { foldCoreFact } from '../../src/events/coreFolds.ts'
import { emptyCoreModel } from '../../src/events/emptyModel.ts'
import type { FactRecord, InputRecord, PageRecord } from '../../src/runtime/log/record.ts'
import { connectedLog, createLog, boot, parsed, recordingOf, spliced } from '../events/recordedLog.ts'
import { unpaidOrPaidTwice } from './payments.ts'
import type { Seen } from './seen.ts'
import { verdictOn } from './wrongs.ts'

const lines = connectedLog()
const records = parsed(lines).map(({ record }) => record)
const facts = records.filter((record): record is FactRecord => record.k === 'f')
const pages = records.filter((record): record is PageRecord => record.k === 'p')
const inputs = records.filter((record): record is InputRecord => record.k === 'i')
const answered = inputs.find(({ type }) => type === 'wallet.connected')?.to ?? ''
const model = emptyCoreModel()
for (const fact of facts) foldCoreFact(model, fact)

const command: Seen = { saw: 'command', ref: 'c1', type: 'connection.connectInstalled' }
const answer: Seen = { saw: 'answer', effectId: answered, type: 'wallet.connected' }
const offered: Seen = { ...answer, saw: 'offered' }
const performed: Seen = { saw: 'performed', effectId: answered, type: 'wallet.connect' }
const shown = pages.map(({ tab, p, type }): Seen => ({ saw: 'pageFact', tab, p, type }))
const attached: Seen = { saw: 'attached', life: 2, seq: facts.length, model }
const all: Seen[] = [command, performed, offered, answer, ...shown, attached]

/** @returns errors of a log of these lines, given these observations */
async function wrongs(log: readonly string[], seen: readonly Seen[] = all, before = seen.length): Promise<string> {
  const verdict = await verdictOn(await recordingOf(log), seen, before)
  return verdict.wrongs.join('\n')
}
const without = (text: string) =>
  spliced(
    lines,
    lines.findIndex(line => line.includes(text)),
    1,
  )

describe('after a kill', () => {
  test('a log with everything acknowledged has no fault', async () => {
    expect(answered).not.toBe('')
    const verdict = await verdictOn(await recordingOf(lines), all, all.length)
    expect(verdict).toMatchObject({ acknowledged: 2 + pages.length, lost: 0, wrongs: [] })
  })

  test('an acknowledged command that is not in the log is lost', async () => {
    const late: Seen = { saw: 'command', ref: 'c2', type: 'balance.refresh' }
    expect(await wrongs(lines, [...all, late])).toBe(
      'command balance.refresh c2 was acknowledged and stands in the log 0 times',
    )
    expect(await verdictOn(await recordingOf(lines), [...all, late], all.length + 1)).toMatchObject({ lost: 1 })
  })

  test('an acknowledgement after the request for the recording is not expected in it', async () => {
    const late: Seen = { saw: 'command', ref: 'c2', type: 'balance.refresh' }
    expect(await wrongs(lines, [...all, late], all.length)).toBe('')
  })

  test('an acknowledged page fact missing at the end of a lane is lost', async () => {
    const last = pages.at(-1)
    expect(await wrongs(without(`"p":${last?.p},`))).toBe(
      `page fact ${last?.type} ${last?.p} of t1 was acknowledged and stands in the log 0 times`,
    )
  })

  test('a lane without its beginning is found, also without an acknowledgement', async () => {
    expect(await wrongs(without('"type":"tab.opened"'), [command])).toBe('the page facts of t1 begin with 2')
  })

  test('an answer more often in the log than given is found', async () => {
    const log = createLog()
    log.input(boot(1))
    const said = { type: 'wallet.failed', data: { failure: { code: 'wallet_gone', message: '' } }, to: 'e1.1.0' }
    log.input(said)
    log.input(said)
    const given: Seen = { saw: 'offered', effectId: 'e1.1.0', type: 'wallet.failed' }
    const taken: Seen = { ...given, saw: 'answer' }
    expect(await wrongs(log.lines, [given, taken])).toBe(
      'answer wallet.failed to e1.1.0 was acknowledged and stands in the log 2 times',
    )
    expect(await wrongs(log.lines, [given, given, taken])).toBe('')
  })

  test('a fact that is missing makes everything lost', async () => {
    const verdict = await verdictOn(await recordingOf(without('"type":"connection.made"')), all, all.length)
    expect(verdict).toMatchObject({ acknowledged: 2 + pages.length, lost: 2 + pages.length })
    expect(verdict.wrongs).toEqual([expect.stringContaining('unreadable: recording, line ')])
  })

  test('a reused life number is found', async () => {
    const log = createLog()
    log.input(boot(1))
    log.input(boot(1, 'lost'))
    expect(await wrongs(log.lines, [])).toBe('life 1 began after life 1')
  })

  test('a life that joins a page, dies and comes again is found though the log has it once', async () => {
    expect(await wrongs(lines, [attached, attached, { saw: 'killed' }, attached])).toBe(
      'life 2 joined a page after life 2 was killed',
    )
  })

  test('an effect released twice and an order prompted twice are found', async () => {
    const prompt: Seen = { saw: 'prompted', orderKey: '00ff' }
    expect(await wrongs(lines, [performed, performed, prompt, prompt])).toBe(
      [
        `effect ${answered} was handed out twice`,
        'order 00ff was asked about twice',
        'order 00ff was asked about, and the log does not know it',
        'order 00ff was asked about, and the log does not know it',
      ].join('\n'),
    )
  })

  test('a signature requested before its record is found', async () => {
    const early: Seen = { saw: 'performed', effectId: 'e2.9.0', type: 'wallet.signTransaction' }
    expect(await wrongs(lines, [early])).toBe('wallet.signTransaction e2.9.0 was handed out before it was written down')
  })

  test('a model that is not the fold of the log, or is ahead of it, is found', async () => {
    const other: Seen = { ...attached, model: emptyCoreModel() }
    expect(await wrongs(lines, [other])).toBe('the model that life 2 gave its page is not the fold of its log')
    const ahead: Seen = { ...attached, seq: facts.length + 1 }
    expect(await wrongs(lines, [ahead])).toBe(`life 2 knew fact ${facts.length + 1}, its log ends with ${facts.length}`)
  })

  test('a log whose inputs do not yield its facts is found', async () => {
    const at = lines.findIndex(line => line.includes('"type":"connection.made"'))
    const changed = spliced(lines, at, 1, lines[at]?.replace('"walletId":"w1"', '"walletId":"w2"') ?? '')
    expect(await wrongs(changed, [])).toContain('it does not re-execute')
  })
})

describe('at rest', () => {
  const fact = (type: string, data: Record<string, unknown>): FactRecord => ({
    k: 'f',
    seq: 1,
    n: 1,
    at: 1,
    type,
    v: 1,
    data: { orderId: 'order-1', ...data },
  })
  const drafted = fact('order.drafted', { account: 'a', connectionId: 'c', walletName: 'w', asset: 'SOL', units: '1' })
  const upTo = (...more: FactRecord[]) => [
    drafted,
    fact('order.quoted', { quoted: '1', min: '1' }),
    fact('order.accepted', { termsHash: 't', orderKey: '00ff' }),
    ...more,
  ]
  const asked = [
    fact('order.built', { bytesRef: 'b' }),
    fact('order.simulated', { unitsConsumed: 1 }),
    fact('order.asked', { askId: 'e1.1.0', means: 'sign' }),
  ]
  const paid = [...asked, fact('order.signed', { signature: 's' }), fact('order.finalised', { slot: 1 })]
  const refused = fact('order.rejected', { failure: { code: 'user_rejected', message: '' } })

  test('a final order has one payment, a declined one none', () => {
    expect(unpaidOrPaidTwice(upTo(...paid), ['00ff'])).toEqual([])
    expect(unpaidOrPaidTwice(upTo(...asked, refused), [])).toEqual([])
  })

  test('a double, unknown, missing or unwanted payment is reported', () => {
    expect(unpaidOrPaidTwice(upTo(...paid), ['00ff', '00ff'])).toContain('order 00ff was paid 2 times')
    expect(unpaidOrPaidTwice([], ['00ff'])).toEqual(['order 00ff was paid, and the log does not know it'])
    expect(unpaidOrPaidTwice(upTo(...paid), [])).toEqual(['order 00ff is finalised and was paid 0 times'])
    expect(unpaidOrPaidTwice(upTo(...asked, refused), ['00ff'])).toEqual([
      'order 00ff is rejected and was paid 1 times',
    ])
  })

  test('an order that is still open is reported', () => {
    expect(unpaidOrPaidTwice(upTo(...asked), [])).toEqual(['order 00ff is still open at rest: awaitingSignature'])
  })
})
