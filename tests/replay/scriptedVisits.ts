/**
 * Makes recordings of scripted visits: of the tests of the deciders and of the services behind them, those that lead to outcomes
 * which no other recording has. A test asks for one fact or effect; its recording holds all of them, and the model.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { createVitest } from 'vitest/node'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { chooseCandidates, type Candidate, outcomesOf } from './chooseVisits.ts'
import { scriptedFolder } from './recordedVisits.ts'
import { recordingOf, repeatable } from './simulatedVisits.ts'
import { strictly } from './strictly.ts'

/** The log of a test's world, with its number among them. */
export type Story = { file: string; test: string; nth: number; lines: string[] }

/**
 * A visit that is recorded whatever its outcomes are. `why`: the reason, such as a fault that no other recording shows. `as`: the
 * recording's name, for one that is named elsewhere; others are counted.
 */
type Asked = Omit<Story, 'lines'> & { why: string; as?: string }

/** Bytes of all recordings, compressed as in git. */
const mostBytes = 420_000

/** Runs the deciders' tests and records their visits anew. @param others folders of recordings whose outcomes are there already */
export async function recordScripted(
  root: string,
  others: readonly string[],
  folder = scriptedFolder,
): Promise<string> {
  const stories = await storiesOf(root)
  const asked = JSON.parse(readFileSync(join(folder, 'asked.json'), 'utf8')) as Asked[]
  const askedAs = new Map(asked.map(one => [nameOf(one), one.as]))
  const whole: { one: Visit; inputs: number }[] = []
  const candidates: Visit[] = []
  for (const story of stories) {
    const lines = repeatable(story.lines)
    if (lines.length === 0 || !(await isReadable(lines))) continue
    const one = { story, lines, outcomes: outcomesOf(lines) }
    if (askedAs.has(nameOf(story))) whole.push({ one, inputs: one.outcomes.length })
    else candidates.push(one)
  }
  const known = whole.flatMap(({ one }) => one.outcomes)
  for (const other of others) known.push(...(await outcomesIn(other)))
  const chosen = [...whole, ...chooseCandidates(candidates, { most: mostBytes, known, worth: [1] })]
  for (const name of recordingsIn(folder)) rmSync(join(folder, name))
  const counts = new Map<string, number>()
  const countedName = (name: string): string => {
    counts.set(name, (counts.get(name) ?? 0) + 1)
    return `${name}-${counts.get(name)}`
  }
  for (const { one, inputs } of chosen) {
    const name = basename(one.story.file, '.test.ts')
    const file = askedAs.get(nameOf(one.story)) ?? countedName(name)
    writeFileSync(join(folder, `${file}.jsonl`), await recordingOf(name, one.lines, inputs))
  }
  return `${chosen.length} of ${stories.length} scripted visits bring new outcomes\n`
}

type Visit = Candidate & { story: Story }

const nameOf = ({ file, test, nth }: Omit<Story, 'lines'>): string => `${file} › ${test} › ${nth}`

/** A test may give the core an id that no recording can hold. */
const isReadable = (lines: readonly string[]): Promise<boolean> =>
  recordingOf('scripted', lines, lines.length)
    .then(strictly)
    .then(
      ({ ok }) => ok,
      () => false,
    )

const recordingsIn = (folder: string) => readdirSync(folder).filter(name => name.endsWith('.jsonl'))

async function outcomesIn(folder: string): Promise<string[]> {
  const found: string[] = []
  for (const name of recordingsIn(folder)) {
    const { records } = await readRecordingFile(new Blob([readFileSync(join(folder, name))]))
    found.push(...outcomesOf(records.map(({ line }) => line)))
  }
  return found
}

export async function storiesOf(root: string): Promise<Story[]> {
  const temporary = mkdtempSync(join(tmpdir(), 'stories-'))
  const into = join(temporary, 'stories.jsonl')
  writeFileSync(into, '')
  const vitest = await createVitest('test', {
    root,
    config: false,
    watch: false,
    include: ['tests/worker/{core,deciders}/**/*.test.ts', 'tests/contracts/*ThroughCore.test.ts'],
    pool: 'threads',
    maxWorkers: 1,
    isolate: false,
    env: { STORIES: into },
    setupFiles: [join(root, 'tests/seeded.ts'), join(root, 'tests/replay/keepStories.ts')],
    reporters: [{}],
  })
  try {
    await vitest.start()
    return readFileSync(into, 'utf8')
      .split('\n')
      .filter(line => line !== '')
      .map(line => JSON.parse(line) as Story)
  } finally {
    await vitest.close()
    rmSync(temporary, { recursive: true })
  }
}
