/** Every story of the tests, cut at many points: a core restored from a checkpoint there continues byte for byte. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { emptyCoreModel } from '../../../src/events/emptyModel.ts'
import { encode } from '../../../src/events/log/codec.ts'
import { Fault } from '../../../src/runtime/failure.ts'
import type { InputRecord } from '../../../src/runtime/log/record.ts'
import { momentsOf } from '../../../src/runtime/story/moments.ts'
import { everyCase } from '../../everyCase.ts'
import { foldTo } from '../../../src/events/replay/foldTo.ts'
import { checkpointLines } from '../../../src/events/checkpoint/snapshot.ts'
import { readRecordingFile } from '../../../src/main/page/redaction/recordingFile.ts'
import { type CoreMachine, createCore } from '../../../src/worker/core/core.ts'
import { effectRecord } from '../../../src/runtime/core/coreMachine.ts'
import { deciders } from '../../../src/worker/deciders/index.ts'
import { reexecute } from '../../../src/worker/replay/reexecute.ts'
import { restoreCore } from '../../../src/worker/replay/restoreCore.ts'
import { blockAt } from '../../../src/runtime/replay/restoreMachine.ts'
import { connectedLog, parsed, recordingOf, spliced } from '../../events/recordedLog.ts'
import { visit, type Way } from '../../simulation/visit.ts'
import { sent, watched } from '../story.ts'
import { message, settled, settlement } from '../wcStory.ts'

const build = 'core-build'

function linesOf(core: CoreMachine, input: InputRecord): string[] {
  const { facts, effects } = core.step(input)
  const ordered = effectRecord(input, effects)
  return [...facts.map(encode), ...(ordered ? [encode(ordered)] : [])]
}

/** Lines of a checkpoint of this core after an input. */
const checkpointOf = (core: CoreMachine, { n, at }: InputRecord) =>
  checkpointLines({ n, seq: core.seq, life: core.model.core.life, at, build, transient: core.memory() }, core.model)

type Group = { lines: string[]; checkpoint: string[] }

/** The whole log of these inputs: each input's lines, and the checkpoint after it where one is wanted. */
function logOf(inputs: readonly InputRecord[], isWanted: (at: number) => boolean = () => true): Group[] {
  const core = createCore(deciders, emptyCoreModel())
  return inputs.map((input, at) => ({
    lines: [encode(input), ...linesOf(core, input)],
    checkpoint: isWanted(at) ? checkpointOf(core, input) : [],
  }))
}

async function recordsOf(lines: readonly string[]) {
  const { records, complete } = await readRecordingFile(new Blob([await recordingOf(lines)]))
  expect(complete).toBe(true)
  return records
}

function inputsOf(text: string): InputRecord[] {
  return text
    .split('\n')
    .filter(line => line.startsWith('{"k":"i"'))
    .map(line => JSON.parse(line) as InputRecord)
}

/** WalletConnect: settled, extended, and another message at the very end. */
function session(): InputRecord[] {
  const world = settled()
  world.kill()
  message(world, 'session-1', settlement(world))
  world.pass(60_000)
  return world.inputs
}
function finalised(): InputRecord[] {
  const world = sent()
  watched(world, { status: 'confirmed', slot: 1004 })
  world.pass(120_000)
  return world.inputs
}

const folder = join(import.meta.dirname, '../../replay/recordings')
const recorded = readdirSync(folder).filter(name => name.endsWith('.jsonl'))
const ways: Way[] = ['installed sign', 'installed signAndSend', 'WalletConnect sign']

/** A story, its inputs, and the proof that it was told to its end. */
type Story = [name: string, tell: () => InputRecord[], isWhole: (groups: readonly { lines: string[] }[]) => void]

const says =
  (fact: string): Story[2] =>
  groups =>
    expect(groups.flatMap(({ lines }) => lines.filter(line => line.includes(`"type":"${fact}"`)))).toHaveLength(1)

const stories: Story[] = [
  ['a session that settled and a core that died', session, says('session.settled')],
  ['an order that was sent', finalised, says('order.confirmed')],
  ...ways.map((way): Story => [`a visit: ${way}`, () => visit(way).inputs, says('order.finalised')]),
  [
    'a visit in which the worker dies',
    () => visit('installed sign', { step: 14, how: 'stored', cause: 'lost' }).inputs,
    says('order.finalised'),
  ],
  ...recorded.map((name): Story => {
    const text = readFileSync(join(folder, name), 'utf8')
    const { inputs } = JSON.parse(text.trimEnd().split('\n').at(-1) ?? '') as { inputs: number }
    return [name, () => inputsOf(text), groups => expect(groups).toHaveLength(inputs)]
  }),
]

/** Recordings that stand for their kind: a wallet in the browser, one over the relay, several tabs, a dead worker. */
const examples = [
  'connect-installed-buy-sol.jsonl',
  'eight-tabs.jsonl',
  'walletconnect-buy-sol.jsonl',
  'worker-killed-around-sending.jsonl',
]

/** Whether a story is tried at few points only. */
const isSpread = (name: string) => recorded.includes(name) && !examples.includes(name)

/**
 * @returns points at which a story is cut; each cut runs the rest of it again. One of each kind is cut at a dozen points, or
 *   after every third input when it is short, the others at four
 */
function cutsOf(name: string, length: number): number[] {
  const last = Math.max(0, length - 2)
  const apart = Math.max(3, Math.ceil(last / (isSpread(name) ? 3 : 12)))
  const cuts = Array.from({ length: Math.ceil(last / apart) }, (_, at) => at * apart)
  return [...cuts, last]
}

test('each kind of recording has an example that is cut at many points', () => {
  expect(recorded).toEqual(expect.arrayContaining(examples))
})

const tried = everyCase ? stories : stories.filter(([name], at) => !isSpread(name) || at % 3 === 0)
describe.each(tried)('%s', (name, tell, isWhole) => {
  const inputs = tell()
  const cuts = cutsOf(name, inputs.length)
  const isMiddle = (at: number) => at % (isSpread(name) ? 12 : 4) === 3
  const groups = logOf(inputs, at => isMiddle(at) || cuts.includes(at) || at === inputs.length - 1)

  test('continues from a checkpoint in its middle as without it', async () => {
    isWhole(groups)
    const end = restoreCore(blockAt(await recordsOf(groups.at(-1)?.checkpoint ?? []), 0) as never, deciders).model
    for (const at of cuts) {
      const tail = groups.slice(at + 1).flatMap(({ lines }) => lines)
      const records = await recordsOf([...(groups[at]?.checkpoint ?? []), ...tail])
      expect(reexecute(records, deciders, { build })).toMatchObject({ ok: true, inputs: groups.length - at - 1 })
      // View replay folds to the same model
      const moments = momentsOf(records)
      if (moments.length > 0) expect(foldTo(moments, moments.length)).toMatchObject(end)
    }
  })

  test('is the model at every checkpoint in its middle', async () => {
    const lines = groups.flatMap(({ lines, checkpoint }, at) => [...lines, ...(isMiddle(at) ? checkpoint : [])])
    const records = await recordsOf(lines)
    expect(reexecute(records, deciders, { build })).toMatchObject({ ok: true, inputs: groups.length })
    // Another build cannot compare the models, so it continues from the stored one
    expect(reexecute(records, deciders, { build: 'another' })).toMatchObject({ ok: true, inputs: groups.length })
  })
})

describe('a wrong checkpoint', () => {
  const groups = logOf(inputsOf(connectedLog().join('\n')))
  const [first = { lines: [], checkpoint: [] }, ...rest] = groups
  const log = [...first.lines, ...first.checkpoint, ...rest.flatMap(({ lines }) => lines)]
  const where = first.lines.length

  function edited(line: number, from: string | RegExp, to: string) {
    const text = log[line] ?? ''
    expect(text).toMatch(from)
    return spliced(log, line, 1, text.replace(from, to))
  }

  test('is found at the differing row', () => {
    const line = log.findIndex(text => text.includes('"type":"network.restated"'))
    expect(reexecute(parsed(edited(line, '"online":true', '"online":false')), deciders, { build })).toMatchObject({
      ok: false,
      difference: { at: line, n: 1, field: 'data.network.online' },
    })
  })

  test('is found at its own line when only the transient or the hash differs', () => {
    const { difference } = reexecute(parsed(edited(where, '"lastCallId":"0"', '"lastCallId":"1"')), deciders, {
      build,
    }) as { difference: { at: number; field: string } }
    expect(difference).toMatchObject({ at: where, field: 'transient.lastCallId' })
    expect(
      reexecute(parsed(edited(where, /"state":"[0-9a-f]{8}"/, '"state":"00000000"')), deciders, { build }),
    ).toMatchObject({ ok: false, difference: { field: 'state' } })
  })

  test.each([['a row edited', /"online":true/, '"online":false', /state expected [0-9a-f]{8}, the hash/]])(
    'is refused where a recording begins with one: %s',
    (_name, from, to, sentence) => {
      const line = first.checkpoint.findIndex(text => text.includes('"type":"network.restated"'))
      const lines = spliced(first.checkpoint, line, 1, (first.checkpoint[line] ?? '').replace(from, to))
      expect(() => reexecute(parsed(lines), deciders)).toThrow(sentence)
    },
  )

  test.each([
    ['no numbers to draw from', /"random":\[[^\]]*\]/, '"random":{}', /random expected Array/],
    ['text for a socket', /"relay":\{"attempt":\d+/, '"relay":{"attempt":"x"', /relay\.attempt expected number/],
    ['a boot that is none', /"boot":\{/, '"boot":{"strange":1,', /transient\.boot: /],
  ])('with %s in its transient is refused with a sentence', (_name, from, to, sentence) => {
    const [line = '', ...rows] = first.checkpoint
    expect(line).toMatch(from)
    const records = parsed([line.replace(from, to), ...rows, ...(rest[0]?.lines ?? [])])
    expect(() => reexecute(records, deciders)).toThrow(sentence)
    expect(() => reexecute(records, deciders)).toThrow(Fault)
  })

  test('with a part of its rows is refused, or dropped at the end of a cut file', () => {
    expect(() => reexecute(parsed(first.checkpoint.slice(0, 3)), deciders, { cut: true })).toThrow(/a whole checkpoint/)
    const cut = parsed(log.slice(0, where + 3))
    expect(reexecute(cut, deciders, { cut: true, build })).toMatchObject({ ok: true, inputs: 1 })
    expect(() => reexecute(cut, deciders)).toThrow(/a whole checkpoint/)
  })

  test('made before any boot needs a boot next', () => {
    const lines = checkpointLines(
      { n: 0, seq: 0, life: 0, at: 0, build, transient: createCore(deciders, emptyCoreModel()).memory() },
      emptyCoreModel(),
    )
    expect(reexecute(parsed([...lines, ...log.slice(0, where)]), deciders)).toMatchObject({ ok: true, inputs: 1 })
    expect(() => reexecute(parsed([...lines, ...(rest[0]?.lines ?? [])]), deciders)).toThrow(/expected core\.boot/)
  })
})
