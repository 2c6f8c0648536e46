/** The recorded sale of the operator: each command replays byte for byte. After an intended change: npm run record -- --operator. */
import { basename } from 'node:path'
import { describe, expect, test } from 'vitest'
import { saleVerbs } from '../../../../scripts/presale/verbs.ts'
import { linesOf, presale, recordedRun, recordedRuns } from './replaying.ts'

const runs = recordedRuns()
const heads = runs.flatMap(path => linesOf(path).filter(line => line.kind === 'head'))

describe('the recorded sale', () => {
  test('has every verb, and the ways to run them', () => {
    expect([...new Set(heads.map(({ verb }) => verb))].sort()).toEqual(Object.keys(saleVerbs).sort())
    expect(new Set(heads.flatMap(({ flags }) => flags))).toEqual(new Set(['dry-run', 'json']))
    const options = heads.flatMap(({ values }) => Object.keys(values))
    expect(options).toEqual(expect.arrayContaining(['export-unsigned', 'rpc2', 'approve', 'checkpoint', 'lanes']))
    const kinds = heads.flatMap(({ values }) => values.kind ?? [])
    expect(kinds.sort()).toEqual(['refunds', 'tokens'])
  })

  test('goes from check to the last payment, over every kind of order', () => {
    const told = linesOf(recordedRun('status')).flatMap(line => (line.kind === 'out' ? line.text : []))
    const status = JSON.parse(told.join(''))
    expect(status).toMatchObject({ state: 'over, announced: success', unfinished: [], outflows: { unexplained: [] } })
    expect(Object.keys(status.statuses).length).toBeGreaterThan(14)
    for (const { batches, left } of status.payouts) expect([batches.paid, left]).toEqual([batches.all, {}])
    expect(status.payouts.map(({ kind }: { kind: string }) => kind)).toEqual(['refunds', 'tokens'])
  })

  test.each(runs.map(path => [basename(path), path]))('%s replays byte for byte', async (name, path) => {
    const { code, out, err } = await presale('replay', path)
    const isCut = name.includes('killed')
    expect([code, out, err]).toEqual([
      0,
      expect.stringMatching(isCut ? /equal up to its cut: the process was killed there\n$/ : /: equal\n$/),
      '',
    ])
  })

  test('has a payout that was killed after the node took a payment, and one that went on from there', () => {
    const [killed, resumed] = [recordedRun('refund-killed'), recordedRun('refund-resumed')].map(linesOf)
    expect(killed?.at(-1)?.kind).not.toBe('end')
    const head = resumed?.find(line => line.kind === 'head')
    const journal = head?.inputs.find(({ path }) => path.endsWith('journal.jsonl'))?.text ?? ''
    const about = (kind: string) =>
      journal
        .split('\n')
        .filter(line => line.includes(`"kind":"${kind}"`))
        .at(-1)
    // Signed, and without an end: its payment was on its way
    expect(about('signed')).toContain('"about":"batch 0 of plan')
    expect(about('ended')).not.toContain('"about":"batch 0 of plan')
    expect(resumed?.at(-1)).toMatchObject({ kind: 'end', code: 0 })
  })

  test('tells of several recordings as JSON, a line each', async () => {
    const { code, out } = await presale('replay', ...runs.slice(0, 3), '--json')
    const told = out
      .trim()
      .split('\n')
      .map(line => JSON.parse(line))
    expect([code, told.map(({ verb, isCut }) => [verb, isCut])]).toEqual([
      0,
      [
        ['check', false],
        ['init', false],
        ['init', false],
      ],
    ])
  })
})
