/** Faults in the log on disk: journal and checkpoints, retention and repair. */
import { type Mutant, tested } from './mutant.ts'

/** Those that need whole journeys of the core stay with the worker. */
const ofWorker: ReadonlySet<string> = new Set(['databases', 'newerLog', 'openLog', 'room'])
const tests = (...names: string[]) =>
  names.map(name => `tests/${ofWorker.has(name) ? 'worker' : 'runtime'}/journal/${name}.test.ts`)
const inJournal = (file: string, ...names: string[]) => tested(`src/runtime/journal/${file}.ts`, tests(...names))

const journal = inJournal('journal', 'journal')
const checkpoints = inJournal('checkpoints', 'checkpoints')
const groups = inJournal('groups', 'groups')
const readLog = inJournal('readLog', 'repairLog')
const newer = inJournal('readLog', 'newerLog')
const openLog = inJournal('openJournal', 'openLog')
const counts = inJournal('journal', 'retention')
const makeRoom = inJournal('journal', 'room')
const retention = inJournal('retention', 'retention')
const stored = inJournal('retention', 'room')
const repair = inJournal('repairLog', 'repairLog', 'verified')
const cut = inJournal('repairLog', 'openLog')
const checkpointRow = inJournal('checkpointRow', 'verified')
const segmentLines = inJournal('segmentLines', 'repairLog', 'openLog')

export const journalMutants: readonly Mutant[] = [
  journal(
    'a strict flush after a relaxed commit commits nothing more',
    "hasNews || durability === 'strict' ? commit(durability)",
    'hasNews ? commit(durability)',
  ),
  journal('a note of the crash guard alone is not flushed', 'marked = true', 'marked = false'),
  journal(
    'a key is stored before it is sealed',
    'async ([name, value]) => [name, await value] as const',
    '([name, value]) => [name, value] as const',
  ),
  journal(
    'a key carried again during its commit is forgotten',
    'if (carried.get(name) === value) carried.delete(name)',
    'carried.delete(name)',
  ),
  journal(
    'a strict flush of a lost log claims that it is on the disk',
    "if (isLost && durability === 'strict') throw notOnDisk()\n",
    '',
  ),
  journal('a log that another core writes goes on in memory', 'return taken()\n', 'taken()\n'),
  journal('a failed commit is followed by the next', 'broke(cause)\n        throw cause', 'broke(cause)'),
  journal(
    'the head is read after it is replaced',
    "const before = store('head').get('head')\n        void store('head').put(next, 'head')",
    "void store('head').put(next, 'head')\n        const before = store('head').get('head')",
  ),
  journal(
    'a commit that was done behind a lost connection counts as another core’s',
    '!isSame(stored, committed) && !isSame(stored, next)',
    '!isSame(stored, committed)',
  ),
  journal(
    'a group forgets the notes of the crash guard',
    'place = { ...place, life, n, seq }',
    'place = { life, n, seq }',
  ),
  journal(
    'a seam leaves the waiting lines to the next segment',
    "(waiting.length > 0 ? commit('relaxed') : last).then(() => {",
    'last.then(() => {',
  ),
  journal(
    'a seam has the position at the end of its commit',
    'const { segment, link } = committed\n        return { life, n, seq, segment, link }',
    'const { segment, link } = committed\n        return { ...journalPlace(), segment, link }\n        function journalPlace() { return { life: place.life, n: place.n, seq: place.seq } }',
  ),
  counts('the head counts the newest segment’s bytes alone', 'bytes: head.bytes + segment', 'bytes: segment'),
  checkpoints(
    'a checkpoint does not restart the count of inputs',
    'coveredTo = n\n    coveredAt = now()',
    'coveredAt = now()',
  ),
  checkpoints(
    'a checkpoint is begun while another is made',
    "if (isMaking || journal.storage !== 'durable') return undefined",
    "if (journal.storage !== 'durable') return undefined",
  ),
  checkpoints(
    'a log without a checkpoint counts as another build’s',
    'known.build !== undefined && known.build !== build',
    'known.build !== build',
  ),
  groups('a fact of another input passes', ' || fact.n !== n', ''),
  groups('facts of a group that is cut stay', 'facts: facts.slice(0, kept)', 'facts'),
  groups(
    'a group that is cut has counted its input',
    'group = { line: index, facts: facts.length, n, seq }\n        n += 1',
    'n += 1\n        group = { line: index, facts: facts.length, n, seq }',
  ),
  readLog(
    'the segment before the checkpoint is read again',
    'IDBKeyRange.lowerBound(kept.segment, true)',
    'IDBKeyRange.lowerBound(kept.segment)',
  ),
  newer('an older build writes the log of a newer one', '> means.format)', '> means.format + 1)'),
  openLog('a life has a number that a page knew already', 'Math.max(head.life, lastLife) + 1', 'head.life + 1'),
  openLog('a life begins before its number is strictly on disk', "journal.flush('strict')", "journal.flush('relaxed')"),

  makeRoom(
    'a strict commit that found no room is relaxed the second time',
    '(await makeRoom())) throw cause\n      await write(next(), along, durability)',
    "(await makeRoom())) throw cause\n      await write(next(), along, 'relaxed')",
  ),
  stored('three checkpoints stay', '.slice(0, 1 - checkpointsKept)', '.slice(0, -checkpointsKept)'),
  retention(
    'a checkpoint is stored into a log that another core writes',
    'getAllKeys()])\n      if (!isSame(stored, head)) throw moved(head, stored)\n',
    'getAllKeys()])\n',
  ),
  retention(
    'segments after the older checkpoint are deleted',
    'checkpoints[checkpoints.length - checkpointsKept]',
    'checkpoints[checkpoints.length - 1]',
  ),
  retention(
    'the first segment after the checkpoint is deleted',
    'key > older.segment ||',
    'key > older.segment + 1 ||',
  ),
  retention('a deleted segment stays the first', 'next.first = key + 1', 'next.first = key'),
  stored(
    'a log may be over one of its two budgets',
    'head.records <= records && head.bytes <= bytes',
    'head.records <= records || head.bytes <= bytes',
  ),
  retention(
    'a recording ends at a damaged segment behind which a checkpoint stands',
    'some(later => later >= key)',
    'some(later => later > key)',
  ),
  repair(
    'a repaired log forgets the lives that are cut off',
    'Math.max(disk.head.life, ...livesIn(groups.lines))',
    'Math.max(0, ...livesIn(groups.lines))',
  ),
  repair('a repair is not strictly on disk', "'strict', async store", "'relaxed', async store"),
  repair(
    'a repair overwrites what another core wrote meanwhile',
    'stored.life !== before.life || stored.n !== before.n',
    'stored.life !== before.life',
  ),
  repair('a checkpoint whose model is another stays', 'if (!next?.verified)', 'if (!next)'),
  repair('a log that another core wrote meanwhile is not read again', "Fault('elsewhere'", "Fault('storage_down'"),
  cut(
    'the group that a damaged line may belong to stays',
    'sound.whole ? sound.lines.length : lastInput(sound.lines)',
    'sound.lines.length',
  ),
  repair('the older of two equal checkpoints is read', 'n > otherN ||', 'n >= otherN ||'),
  repair('a repair rewrites the segment before it', 'from: start.segment + 1,', 'from: start.segment,'),
  repair('a group is split between two segments', "part.length >= 100 && lineKind(line) === 'i'", 'part.length >= 100'),
  checkpointRow(
    'a checkpoint of another build is not verified',
    'if (written.length !== rows.length || hashOfLines(written) !== checkpoint.state) return false\n  if (checkpoint.build !== build) return true',
    'if (checkpoint.build !== build) return true\n  if (written.length !== rows.length || hashOfLines(written) !== checkpoint.state) return false',
  ),
  segmentLines('a line cut short by a kill counts as whole', "wrong < 0 && end === ''", 'wrong < 0'),
]
