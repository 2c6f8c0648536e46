import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { checkpointLines } from '../../../../src/events/checkpoint/snapshot.ts'
import { connectedLog, createLog, boot, header, recordingOf } from '../../../events/recordedLog.ts'
import { readRecordingFile } from '../../../../src/main/page/redaction/recordingFile.ts'
import { sha256Hex } from '../../../../src/worker/drivers/digest.ts'
import { writeRecording } from '../../../../src/runtime/recording/recording.ts'
import { ownFolder } from '../running.ts'

const { file, folder, replay } = ownFolder()
const recordings = join(import.meta.dirname, '../../../replay/recordings')
const kept = (name: string) => readFileSync(join(recordings, `${name}.jsonl`), 'utf8')

/** A real recording with one line changed and a valid trailer. */
async function changed(name: string, change: (line: string) => string): Promise<string> {
  const { header, records } = await readRecordingFile(new Blob([kept(name)]))
  const lines = records.map(({ line }) => change(line))
  expect(lines.join('\n')).not.toBe(records.map(({ line }) => line).join('\n'))
  return file(`${name}.jsonl`, await writeRecording({ header, lines }, sha256Hex))
}

type Told = { kept: number; inputs: number; types: string[] }

/** Minimises, and checks the result. */
async function minimised(path: string, ...more: string[]) {
  const out = join(folder, 'least.jsonl')
  const { code, out: told, err } = await replay('minimise', path, '-o', out, '--json', ...more)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [check] = (await replay('check', '--json', out)).out.split('\n')
  return { ...(JSON.parse(told) as Told), out, check: JSON.parse(check ?? '') as { ok: boolean; difference?: object } }
}

describe('minimise of a recording that fails', () => {
  test('keeps only the inputs that lead to a changed fact', async () => {
    const path = await changed('walletconnect-buy-sol', line =>
      line.includes('"type":"order.asked"') ? line.replace('"means":"sign"', '"means":"signAndSend"') : line,
    )
    const { types, check } = await minimised(path)
    expect(check).toMatchObject({
      ok: false,
      difference: { field: 'data.means', values: { expected: '"signAndSend"', actual: '"sign"' } },
    })
    expect(types[0]).toBe('core.boot')
    expect(types).toContain('order.place')
    expect(types.at(-1)).toBe('chain.orderPrepared')
    expect(types.length).toBeLessThan(16)
    expect(types.filter(type => type === 'timer.fired' || type.startsWith('directory.'))).toEqual([])
  })

  test('keeps those that lead to other effects', async () => {
    const path = await changed('connect-installed-buy-sol', line =>
      line.includes('"chain.submit"') ? line.replace(/"h":"[0-9a-f]{8}"/, '"h":"00000000"') : line,
    )
    const { types, check } = await minimised(path)
    expect(check).toMatchObject({ ok: false, difference: { field: 'h', effects: [{ type: 'chain.submit' }, {}, {}] } })
    expect(types.length).toBeLessThan(20)
  })

  test('keeps those that lead to a new fact, and to a missing one', async () => {
    const lines = connectedLog()
    const at = lines.findIndex(line => line.includes('"type":"network.online"'))
    const renumbered = (text: string) => text.replace(/"seq":(\d+)/, (_, seq: string) => `"seq":${Number(seq) - 1}`)
    const without = lines.flatMap((line, index) => (index === at ? [] : [index > at ? renumbered(line) : line]))
    const missing = await minimised(file('missing.jsonl', await recordingOf(without)))
    expect(missing.types).toEqual(['core.boot', 'page.online', 'page.online'])
    expect(missing.check).toMatchObject({ ok: false, difference: { lines: { recorded: [], now: ['network.online'] } } })

    const extra = `{"k":"f","seq":1,"n":1,"at":1800000001000,"type":"network.offline","v":1,"data":{}}`
    const log = createLog()
    log.input(boot(1))
    log.input({ type: 'page.resumed', data: {} })
    const more = [...log.lines, extra.replace('"seq":1,"n":1', `"seq":${log.core.seq + 1},"n":2`)]
    const added = await minimised(file('added.jsonl', await recordingOf(more)))
    expect(added.types).toEqual(['core.boot', 'page.resumed'])
    expect(added.check).toMatchObject({ ok: false })
  })

  test("begins at the recording's first checkpoint", async () => {
    const log = createLog()
    log.input(boot(1))
    const { model, seq } = log.core
    const standing = { n: 1, seq, life: 1, at: header.startedAt, build: 'core-build', transient: log.core.memory() }
    const begin = checkpointLines(standing, model)
    const from = log.lines.length
    for (const online of [true, false, true, false]) log.input({ type: 'page.online', data: { online } })
    const rest = log.lines
      .slice(from)
      .map(line => (line.includes('network.online') ? line.replace('"at":18', '"at":17') : line))
    const path = file('from-checkpoint.jsonl', await recordingOf([...begin, ...rest]))
    const { types, check } = await minimised(path)
    expect(types).toEqual(['page.online', 'page.online'])
    expect(check).toMatchObject({ ok: false, difference: { n: 3, field: 'at' } })
  })

  test('refuses a passing one', async () => {
    expect(await replay('minimise', file('fine.jsonl', kept('declined')))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^nothing to minimise: the recording re-executes without a difference/),
    })
  })
})

describe('minimise that keeps a fact', () => {
  /** Inputs of every purchase: the sale's reading, document and notices, the press, and the transaction. */
  const always = [
    'chain.identified',
    'chain.notices',
    'chain.orderPrepared',
    'chain.sale',
    'chain.terms',
    'core.boot',
    'order.place',
    'sale.legal',
  ]
  const installed = ['connection.connectInstalled', 'wallet.connected']
  const signed = [...installed, 'wallet.signed', 'timer.fired', 'chain.status']
  const needed: Record<string, string[]> = {
    'connect-installed-buy-sol': signed,
    'connect-installed-buy-usdc': signed,
    // The gate reads everything again before the request; a sent payment is seen before it is final
    'send-only-wallet-buy-sol': [
      ...installed,
      'chain.sale',
      'chain.notices',
      'chain.status',
      'timer.fired',
      'wallet.sent',
      'timer.fired',
      'chain.status',
      'timer.fired',
      'chain.status',
    ],
    'walletconnect-buy-sol': [
      'connection.connectWalletConnect',
      'vault.pairingMade',
      'relay.message',
      'vault.sessionDerived',
      'relay.message',
      'relay.message',
      'timer.fired',
      'chain.status',
    ],
  }

  test('covers every recording of a purchase', () => {
    const bought = readdirSync(recordings).filter(name => name.includes('-buy-'))
    expect(bought.map(name => name.replace('.jsonl', ''))).toEqual(Object.keys(needed))
  })

  test.each(Object.entries(needed))('keeps only the inputs of a purchase with %s', async (name, more) => {
    const { kept, check, types } = await minimised(join(recordings, `${name}.jsonl`), '--keep', 'order.finalised')
    expect(check.ok).toBe(true)
    expect(kept).toBe(types.length)
    expect([...types].sort()).toEqual([...always, ...more].sort())
  })

  test('is reported in words, and written beside the file by default', async () => {
    const path = file('told.replay.jsonl', await recordingOf(connectedLog()))
    const { code, out } = await replay('minimise', path, '--keep', 'network.offline')
    expect(code).toBe(0)
    expect(out).toMatch(
      /^8 inputs → 2 in \d+ trials, \d+\.\d s\n {5}1 {2}core\.boot\n {5}2 {2}page\.online\nwritten to .*told\.min\.replay\.jsonl; /,
    )
  })

  test.each([
    [['--keep', 'order.signed'], 'the core writes no order.signed in this recording'],
    [['--keep', 'network.offline', '--trials', '0'], '--trials expected a whole number from 1, got 0'],
    [
      ['--keep', 'network.offline', '-o', join(folder, 'no/such/folder')],
      'could not be written: there is no such folder',
    ],
    [
      ['--keep', 'network.offline', '-o', join(folder, 'same.jsonl')],
      'expected another file than the one that was read',
    ],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const path = file('same.jsonl', await recordingOf(connectedLog()))
    const { code, out, err } = await replay('minimise', path, ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
  })
})
