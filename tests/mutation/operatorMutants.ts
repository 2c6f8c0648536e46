/** Planted faults of the operator's verbs: journal, lock, keys, sending, notices. */
import { type Mutant, tested } from './mutant.ts'

const inTests = (name: string) => `tests/scripts/presale/${name}.test.ts`
const transactions = inTests('operatorTransactions')
const verbs = inTests('operator')
const refusals = inTests('operatorRefusals')
const state = tested('scripts/presale/state.ts', [inTests('state')])
const keys = tested('scripts/presale/keys.ts', [inTests('keys')])
const command = tested('scripts/presale/command.ts', [inTests('keyArguments')])
const send = tested('scripts/presale/send.ts', [transactions])
const interrupted = tested('scripts/presale/send.ts', [inTests('payouts/interrupted')])
const work = tested('scripts/presale/operator/work.ts', [transactions])
const refusing = tested('scripts/presale/operator/work.ts', [refusals])
const announce = tested('scripts/presale/operator/announce.ts', [refusals])
const checked = tested('scripts/presale/check.ts', [verbs])
const published = tested('scripts/presale/operator/published.ts', [verbs])
const checkpoint = tested('scripts/presale/operator/checkpoint.ts', [verbs])
const init = tested('scripts/presale/operator/init.ts', [verbs])
const publish = tested('scripts/presale/operator/publish.ts', [verbs])
const ended = tested('scripts/presale/operator/publish.ts', [inTests('saleOver')])
const endedByTwo = tested('scripts/presale/operator/announce.ts', [inTests('saleOver')])
const result = tested('scripts/presale/operator/result.ts', [verbs])
const switches = tested('scripts/presale/operator/switches.ts', [verbs])

const recordings = (name: string) => `tests/scripts/presale/recordings/${name}.test.ts`
const recordingSource = (name: string) => `scripts/presale/recording/${name}.ts`
const record = tested(recordingSource('record'), [recordings('record')])
const portable = tested(recordingSource('portable'), [recordings('record')])
const portableReplay = tested(recordingSource('portable'), [recordings('planted')])
const runFiles = tested(recordingSource('runFiles'), [recordings('record')])
const recordingLines = tested(recordingSource('lines'), [recordings('record')])
const replayWorld = tested(recordingSource('world'), [recordings('planted')])
const replayed = tested(recordingSource('replay'), [recordings('planted')])
const readRun = tested(recordingSource('readRun'), [recordings('planted')])

const content = tested('scripts/presale/check.ts', [inTests('check')])

export const operatorMutants: readonly Mutant[] = [
  runFiles('a recording lacks the content file', '(?:content|notices', '(?:notices'),
  checked(
    'terms other than the announced ones pass the check',
    'if (announced === hash) return []',
    'if (announced) return []',
  ),
  content(
    'a content file that no page can show passes the check',
    "[tell('warning', `${cause.message}",
    "[tell('good', `${cause.message}",
  ),
  state('a torn line stays in the journal', 'ftruncateSync(file, length)', ''),
  state('a line is not on the disk when it counts', '        fsyncSync(file)\n', ''),
  state(
    'a line is not held against the one before it',
    'checkOf(before, line as JournalLine)',
    "checkOf('', line as JournalLine)",
  ),
  state('the lock of a living process is taken', "code !== 'ESRCH'", "code === 'ESRCH'"),
  state(
    'the lock of another machine is taken',
    'if (host !== hostname()) return true',
    'if (host !== hostname()) return false',
  ),
  state('the journal of another sale is used', 'if (first) checkOwner(first, of, path)\n  else', 'if (!first)'),
  keys('a key with another public half signs', 'address !== encodeBase58(bytes.subarray(32))', 'address === undefined'),
  keys('a key that others can read is not told', '(mode & 0o077) !== 0', '(mode & 0o007) === 0o007'),
  send('bytes of an earlier command are not followed', "if (line.kind === 'signed')", "if (line.kind === 'sent')"),
  interrupted('a notice waits for a payout', "if ('height' in signed.life) ended", 'ended'),
  send('a node behind proves bytes gone', 'found.slot >= overAt', 'found.slot >= 0'),
  send('a fork’s landing is taken for the end', "status?.confirmationStatus !== 'finalized'", '!status'),
  send(
    'vanished bytes are not sent again',
    'overAt === undefined && !found.isSeen',
    'overAt === undefined && round === 0',
  ),
  send('a failed transaction counts as landed', "outcome: 'failed', slot", "outcome: 'landed', slot"),
  work('earlier transactions are left alone', "if (mode.kind !== 'dry') await endEarlier(work)", ''),
  refusing('a foreign key announces', 'key.address !== authority', 'key.address === undefined'),
  refusing('another chain is announced to', 'if (chain !== cluster.genesisHash)', 'if (chain === undefined)'),
  announce(
    'a notice that did not count is told as done',
    'if (!after.counted.some(',
    'if (after.seq === 0 && !after.counted.some(',
  ),
  announce('the notice takes a number that was used', 'notices.board.seq + 1', 'Math.max(1, notices.board.seq)'),
  published('the list leaves out the end of a pause', "[['pause', 'resume'], 1]", "[['pause'], 1]"),
  published('the list of notices is signed for another number', 'seq: board.seq, time', 'seq: board.seq + 1, time'),
  checkpoint(
    'a checkpoint is announced before its text is kept',
    "if (mode.kind !== 'dry') sending.journal.add",
    'if (read.slot < 0) sending.journal.add',
  ),
  checkpoint(
    'the same checkpoint is announced again',
    'sameBut(newest, said)) return undefined',
    'newest === said) return undefined',
  ),
  init('the treasury is funded whole, whatever it holds', 'rentMinimum - (native.units ?? 0n)', 'rentMinimum'),
  init('the funding is not signed by the authority', 'isSigner: true', 'isSigner: false'),
  publish('later terms follow unknown ones', '  checkVersions(sale, board.published)', ''),
  publish('a closed sale gets new terms', 'if (board.closed)', 'if (board.closed && version === 1)'),
  ended('the end moves after it has passed', 'if (latest >= end)', 'if (latest < 0)'),
  endedByTwo(
    'the end moves by the clock of one node',
    'latest: Math.max(notices.seconds, other.seconds)',
    'latest: notices.seconds',
  ),
  ended('terms follow a result', 'if (board.result !== undefined)', 'if (board.result === undefined)'),
  publish(
    'no checkpoint follows later terms',
    "last?.notice.verb === 'terms'",
    'notices.board.checkpoints.length === 0',
  ),
  result('another outcome than the ledger’s is announced', 'if (outcome !== wanted)', "if (outcome === 'open')"),
  checked('a reserve without the pool for referrals is enough', ' + BigInt(terms.referral.pool)', ''),
  checked('a reserve with half of its tokens is enough', 'held.amount < needed', 'held.amount < needed / 2n'),
  checked('a reserve of the exact amount is too small', 'held.amount < needed', 'held.amount <= needed'),
  publish('terms are published over a reserve that is too small', 'strict: true', 'strict: false'),
  switches('a paused sale is paused again', 'isDone: ({ paused }) => paused', 'isDone: ({ closed }) => closed'),
  switches('a closed sale is switched', "if (board.closed && verb !== 'close')", 'if (board.closed && board.paused)'),
  record('an access key stays in the answers of a recording', "status === 200 ? hide(text) : ''", 'text'),
  record('answers reach the verb in one task', '    await nextTask()\n    // Other bodies', '    // Other bodies'),
  command('a key in place of a file is told', 'given.some(mayBeKey)', 'given.some(isSecret)'),
  command('a secret among the words is told', '[...parts.flat(), args', '[args'),
  portable('the whole address of a node is recorded', 'return hostAddress(one)', 'return one'),
  portable('an address as a word keeps its key', '...words.filter(webAddress)]', ']'),
  portable('a bare name of a query is recorded', 'value || name', 'value'),
  portable('paths outside are recorded as they are', "join('..', `outside-${at + 1}`,", "join(roots[at] ?? '',"),
  portableReplay(
    'a recording names any path',
    "first !== '..' || /^outside-[1-9]\\d*$/.test(second)",
    "first !== '..' || second !== '..'",
  ),
  runFiles(
    'a file of the same number and length counts as not written',
    '`${ino} ${size} ${ctimeNs}`',
    '`${ino} ${size}`',
  ),
  record('signed payments leave without a warning', 'if (leavesPayment(place))', 'if (lines === undefined)'),
  runFiles('a key among the files is recorded', 'if (isKeyText(text))', 'if (isKeyText(file))'),
  recordingLines('a recording replaces a file', "openSync(path, 'wx', 0o600)", "openSync(path, 'w', 0o600)"),
  replayWorld('any signature is taken', 'if (!isValid(signature', 'if (false && !isValid(signature'),
  replayWorld(
    'requests are not held against the recording',
    'if (!late.has(asked) && !isCut)',
    'if (!late.has(asked) && isOver)',
  ),
  replayWorld(
    'a cut excuses every difference',
    "if (isCut && open.size === 0 && !isOver) end('cut')",
    "if (isCut) end('cut')",
  ),
  replayed('what the verb leaves out goes unnoticed', 'if (left)', 'if (left && left.at < 0)'),
  replayed('output is not compared', "textDiffers(run, 'out', told.out) ??", ''),
  replayed('files are not compared', 'was.get(one) !== is.get(one)', 'was.get(one) === one'),
  readRun('lines after the end are taken', "line.kind === 'head' || run.end", "line.kind === 'head'"),
]
