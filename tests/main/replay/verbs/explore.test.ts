import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectedLog, recordingOf } from '../../../events/recordedLog.ts'
import { ownFolder } from '../running.ts'

const { file, folder, replay } = ownFolder()
const lines = connectedLog()
const path = file('explored.jsonl', await recordingOf(lines))
const real = join(import.meta.dirname, '../../../replay/recordings/walletconnect-buy-sol.jsonl')

describe('explore', () => {
  test('prints the consequences of a changed input, input by input', async () => {
    const { code, out } = await replay('explore', path, '--edit', '4={"data":{"features":["signAndSendTransaction"]}}')
    expect(code).toBe(1)
    expect(out).toMatch(
      /^input 4, edited {2}08:00:04\.000 {2}wallet\.connected .*\n {2}- connection\.made .*\n {2}\+ connection\.made /,
    )
    expect(out).toMatch(/\n1 input of 8 with another outcome\n$/)
  })

  test('prints the missing facts without an input, and their consequences', async () => {
    const { code, out } = await replay('explore', path, '--drop', '5', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(out)).toMatchObject({
      inputs: 7,
      changed: [
        { n: 5, from: 5, how: 'dropped', recorded: [{ type: 'network.offline' }], now: [] },
        { from: 6, n: 5, recorded: [{ type: 'network.online' }], now: [] },
      ],
    })
  })

  test('maps ids of the new run: an inserted input alone changes nothing after it', async () => {
    const { code, out } = await replay('explore', real, '--insert', '1={"type":"page.resumed","data":{}}', '--json')
    const { changed } = JSON.parse(out) as { changed: { from?: number; type: string }[] }
    expect(code).toBe(changed.length > 0 ? 1 : 0)
    expect(changed.filter(({ type }) => type.startsWith('order.') || type === 'wallet.signed')).toEqual([])
  })

  test('reads edits from a file, and writes the new run as a recording', async () => {
    const edits = file(
      'edits.json',
      JSON.stringify([{ drop: 5 }, { drop: 6 }, { edit: 7, with: { data: { language: 'de' } } }]),
    )
    const out = join(folder, 'explored.out.jsonl')
    expect(await replay('explore', path, '--edits', edits, '-o', out)).toMatchObject({ code: 1 })
    expect(await replay('check', out)).toMatchObject({ code: 0, out: 're-executed 6 inputs, 4 facts: identical\n' })
    const text = readFileSync(out, 'utf8')
    expect(text.split('\n').filter(line => line.includes('"type":"network.online"'))).toEqual([])
    const edit = file('edit.json', '{"data":{"online":true}}')
    expect(await replay('explore', path, '--edit', `5=@${edit}`)).toMatchObject({ code: 1 })
  })

  test('reports an equal outcome', async () => {
    expect(
      await replay('explore', path, '--edit', '2={"data":{"visible":false}}', '--edit', '2={"data":{"visible":true}}'),
    ).toMatchObject({
      code: 0,
      out: 'no difference\n',
    })
  })

  test.each([
    [[], 'explore expected --edit, --insert, --drop or --edits, got none of them'],
    [['--drop', '9'], '--drop expected an input from 1 to 8, got 9'],
    [['--drop', 'five'], '--drop expected the number of an input, got five'],
    [['--drop', '5={}'], '--drop expected the number of an input, got 5={}'],
    [['--drop', '1'], 'the run expected core.boot as its first input, got page.attached'],
    [['--edit', '5'], '--edit expected N={…}'],
    [['--edit', '5={'], '--edit 5 expected JSON, got text that does not parse'],
    [['--edit', '5=[]'], '--edit 5 expected an object, got a list'],
    [['--edit', '5={"__proto__":{}}'], '--edit 5 expected no key __proto__, got one'],
    [['--edit', `5=${'['.repeat(10_000)}`], '--edit 5 expected at most 64 levels of nesting'],
    [
      ['--edit', '5={"data":{"online":"no"}}'],
      '--edit 5: page.online: online expected boolean, got a text of 2 characters',
    ],
    [['--edit', '5={"data":{"loud":true}}'], '--edit 5: page.online: loud expected no field, got true'],
    [
      ['--edit', '5={"type":"page.tilted","data":{}}'],
      '--edit 5 expected a type that this build knows, got page.tilted',
    ],
    [['--edit', '5={"at":"now"}'], '--edit 5: at expected whole number, got string'],
    [['--insert', '5={"data":{}}'], '--insert 5 expected a type, got none'],
    [['--edits', join(folder, 'nobody.json')], 'could not be read as text'],
    [['--edits', file('object.json', '{}')], '--edits expected a JSON list, got another value'],
    [['--edits', file('wrong.json', '[{"change":5}]')], '--edits expected {"edit" or "insert": N'],
  ])('refuses %j in one sentence', async (args, sentence) => {
    const { code, out, err } = await replay('explore', path, ...args)
    expect({ code, out }).toEqual({ code: 2, out: '' })
    expect(err).toContain(sentence)
    expect(err).toMatch(/^[^\n]{1,300}\n$/)
  })
})
