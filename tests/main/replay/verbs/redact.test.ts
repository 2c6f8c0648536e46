/** Redaction on the command line, and every other verb on a redacted file. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { account, connectedLog, recordingOf } from '../../../events/recordedLog.ts'
import { ownFolder, replayIn } from '../running.ts'

const { file, folder, replay } = ownFolder()
const recorded = join(import.meta.dirname, '../../../replay/recordings/walletconnect-buy-sol.jsonl')
const inFolder = (name: string) => join(folder, name)
const lines = connectedLog()

/** A committed recording of a purchase, redacted. @returns the path */
async function made(policy: 'tokens' | 'view'): Promise<string> {
  const out = inFolder(`bought.${policy}.jsonl`)
  const said = await replay('redact', recorded, '-o', out, ...(policy === 'view' ? ['--view'] : []))
  expect(said).toMatchObject({ code: 0, err: '' })
  expect(said.out).toMatch(
    /: \d+ records, personal values replaced by tokens, amounts (?:and times by stand-ins|blanked); written to /,
  )
  return out
}
const tokens = await made('tokens')
const view = await made('view')
/** The number of the last fact. */
const last =
  readFileSync(tokens, 'utf8')
    .match(/"seq":\d+/g)
    ?.at(-1)
    ?.slice(6) ?? ''

/** @returns the number of the first input of this type */
function numberOf(type: string): string {
  const [input] = readFileSync(tokens, 'utf8')
    .split('\n')
    .filter(line => line.startsWith('{"k":"i"') && line.includes(`"type":"${type}"`))
  return String((JSON.parse(input ?? '') as { n: number }).n)
}

describe('redact', () => {
  test('writes beside each file, packed ones and those in folders too, and skips redacted ones', async () => {
    const whole = await recordingOf(lines)
    const path = file('mine.replay.jsonl.gz', gzipSync(whole))
    expect(await replay('redact', path)).toMatchObject({ code: 0, err: '' })
    const text = readFileSync(inFolder('mine.tokens.replay.jsonl'), 'utf8')
    expect(whole).toContain(account)
    expect(text).not.toContain(account)
    expect(text).toContain('"redaction":"standIns"')
    const { out } = await replay('redact', inFolder('mine.tokens.replay.jsonl'))
    expect(out).toBe(`${inFolder('mine.tokens.replay.jsonl')}: redacted already, nothing was written\n`)
    expect(readdirSync(folder)).not.toContain('mine.tokens.tokens.replay.jsonl')
  })

  test('draws other tokens each time', async () => {
    const again = inFolder('again.jsonl')
    await replay('redact', recorded, '-o', again)
    expect(readFileSync(again, 'utf8')).not.toBe(readFileSync(tokens, 'utf8'))
  })

  test('prints JSON, and counts unknown types', async () => {
    const strange =
      '{"k":"p","p":6,"life":2,"after":6,"tab":"t1","at":1800000009000,"type":"screen.tilted","v":1,"data":{"a":"somebody"}}'
    const path = file('strange.jsonl', await recordingOf([...lines, strange]))
    const out = inFolder('known.jsonl')
    const said = await replay('redact', path, '-o', out, '--json')
    expect(JSON.parse(said.out)).toEqual({
      file: path,
      out,
      redaction: 'tokens',
      records: lines.length + 1,
      dropped: { 'screen.tilted': 1 },
    })
    expect(readFileSync(out, 'utf8')).not.toContain('somebody')
    expect((await replay('redact', path, '-o', out)).out).toContain('  1 record of screen.tilted lost its data: ')
  })

  test('of a file that does not re-execute writes nothing and names --view; with --view it does', async () => {
    const other = file(
      'other.jsonl',
      await recordingOf(lines.map(line => line.replace('"attemptId":"', '"attemptId":"x'))),
    )
    const out = inFolder('other.out.jsonl')
    const { code, err, out: told } = await replay('redact', other, '-o', out)
    expect({ code, told }).toEqual({ code: 2, told: '' })
    expect(err).toMatch(
      /expected a recording that re-executes: from input 3 .*; --view writes one that can be viewed\n$/,
    )
    expect(existsSync(out)).toBe(false)
    expect(await replay('redact', other, '--view', '-o', out)).toMatchObject({ code: 0, err: '' })
    expect(readFileSync(out, 'utf8')).not.toContain(account)
  })

  test('refuses to overwrite its input, and to make tokens of a view recording', async () => {
    expect(await replay('redact', recorded, '-o', recorded)).toMatchObject({
      code: 2,
      err: expect.stringContaining('expected another file than the one that was read'),
    })
    expect(await replay('redact', view)).toMatchObject({
      code: 2,
      err: expect.stringContaining('its amounts are blanked already: it is for looking only'),
    })
  })
})

describe('a recording with tokens', () => {
  test('is accepted by every verb', async () => {
    const ran = async (...args: string[]) => {
      const { code, out } = await replay(...args)
      expect({ args, code }).toEqual({ args, code: 0 })
      return out
    }
    expect(await ran(tokens)).toMatch(/: identical\n$/)
    expect(await ran('check', tokens)).toMatch(/: identical\n$/)
    expect(await ran('show', tokens)).toContain('order.finalised')
    expect(await ran('at', last, tokens, 'order')).toContain('finalised')
    await ran('diff', tokens, tokens)
    await ran('minimise', tokens, '--keep', 'order.asked', '-o', inFolder('least.jsonl'))
    // That a node took the bytes decides nothing; without a page nothing can be witnessed
    expect(await ran('explore', tokens, '--drop', numberOf('chain.submitted'))).toBe('no difference\n')
    expect(await replay('explore', tokens, '--drop', numberOf('page.attached'))).toMatchObject({
      code: 1,
      out: expect.stringContaining('  - → attest.get'),
    })
    await ran('compat', tokens)
    const { code, out } = await replayIn(inFolder('root'), 'to-test', tokens, '--name', 'bought')
    expect(code).toBe(0)
    expect(out).not.toContain('it is not redacted')
  })
})

describe('a recording for looking only', () => {
  const refusal = /this recording cannot be re-executed: its amounts are blanked/

  test('is shown and folded', async () => {
    expect(await replay('show', view)).toMatchObject({
      code: 0,
      err: '',
      out: expect.stringContaining('order.finalised'),
    })
    expect(await replay('at', last, view)).toMatchObject({ code: 0, out: expect.stringContaining('finalised') })
    expect(await replay('diff', view, view)).toMatchObject({ code: 0, err: '' })
  })

  test.each([
    ['a file alone', [view]],
    ['check', ['check', view]],
    ['minimise', ['minimise', view, '--keep', 'order.asked', '-o', inFolder('none.jsonl')]],
    ['explore', ['explore', view, '--drop', '2']],
    ['compat', ['compat', view]],
    ['to-test', ['to-test', view, '--name', 'none']],
  ])('is not re-executed by %s, which answers with a sentence', async (_verb, args) => {
    const { code, err } = await replay(...args)
    expect(code).toBe(2)
    expect(err).toMatch(refusal)
    expect(err.match(/\n/g)).toHaveLength(1)
  })
})
