/** Faults in the page's supervisor: its workers, its calls, its own facts. */
import { type Mutant, tested } from './mutant.ts'

const tests = 'tests/main/page/supervisor'
const inRuntime = (file: string) => tested(`src/runtime/page/${file}.ts`, [`${tests}/supervisor.test.ts`])
const inProduct = (file: string, ...more: string[]) =>
  tested(
    `src/main/page/supervisor/${file}.ts`,
    ['supervisor', ...more].map(name => `${tests}/${name}.test.ts`),
  )

const supervisor = inRuntime('supervisor')
const workerLives = inRuntime('workerLives')
const queue = inRuntime('factQueue')
const restatement = inProduct('restatement', 'restatement')
const pageCalls = inRuntime('pageCalls')
const deaths = inRuntime('deaths')
const notices = inProduct('notices')

export const pageMutants: readonly Mutant[] = [
  supervisor(
    'a joining that another replaced counts',
    'workers.current() !== mine || turn !== turns',
    'workers.current() !== mine',
  ),
  supervisor(
    'facts of a core that the page has left count',
    'async facts(batch) {\n        mustBeMine()\n',
    'async facts(batch) {\n',
  ),
  supervisor(
    'facts that come before the answer to attach are folded late',
    'early = undefined\n    tellHearing([])\n    take(waited)',
    'early = undefined\n    tellHearing([])\n    setTimeout(() => take(waited))',
  ),
  supervisor('what the page shows is said at every check', 'restatedAt = store.folded()\n', ''),
  supervisor(
    'a worker is given up whose ping a sleep outdated',
    'if (now() - sentAt > sleptMs) check()\n      else workers',
    'workers',
  ),
  supervisor(
    'page facts are forgotten though the record was not erased',
    'if (isErased) queue.forget()',
    'queue.forget()',
  ),
  supervisor('the step of the log before is held against the next log', 'workers.forgetStep()\n', ''),
  supervisor('answers to an erased log reach the next one', 'if (effectId === undefined) return\n', ''),
  workerLives('a death outside a step makes one in a step forgotten', 'from.inStep() || diedInStep', 'from.inStep()'),
  workerLives(
    'a suspicion stays once the page has joined',
    'const mine = remote\n      diedInStep = 0\n',
    'const mine = remote\n',
  ),
  workerLives('a worker is introduced as its own predecessor', 'ended: nameOf(made - 1)', 'ended: nameOf(made)'),
  workerLives('old deaths count after a person has tried again', 'deaths.forget()\n', ''),
  workerLives('a worker of before the present one ends it', 'if (remote !== from) return\n', ''),
  queue('the last fact shipped is shipped again', 'one.p > lastP', 'one.p >= lastP'),
  queue(
    'a page fact does not count what waited before it',
    'store.flush()\n      record({ fact, at })',
    'record({ fact, at })\n      store.flush()',
  ),
  restatement('a notice is left out of what the page shows', '...(toast ? { toast } : {}),', ''),
  pageCalls(
    'a command counts as given again the first time',
    "const args = call.name === 'command' && call.log !== undefined ? [...call.args, true] : call.args\n    call.log = log",
    "call.log = log\n    const args = call.name === 'command' && call.log !== undefined ? [...call.args, true] : call.args",
  ),
  pageCalls('a command is given again unmarked', '? [...call.args, true] : call.args', '? [...call.args] : call.args'),
  pageCalls(
    'calls go to the next core in another order',
    '[...waiting].sort((one, other) => one.nth - other.nth)',
    '[...waiting]',
  ),
  pageCalls(
    'a call that is lost after the next joining waits for another one',
    'if (core && sentIn !== turn) send(call, core)\n',
    '',
  ),
  pageCalls('a command is given to another log', 'sentTo === log && isDurable()', 'isDurable()'),
  pageCalls('a command is given again without a durable log', 'sentTo === log && isDurable()', 'sentTo === log'),
  pageCalls('a call is repeated although its time is over', 'call.isLate = true\n', ''),
  deaths('an eleventh worker is started', 'known.length >= most.deaths', 'known.length > most.deaths'),
  notices('an input dropped before is told at every joining', 'count > dropped', 'count >= dropped'),
  notices('a dropped input is told again at the next joining', 'dropped = (dropped ?? 0) + 1\n', ''),
]
