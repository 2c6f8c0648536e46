/** Faults in the tabs of an origin: the leader with its lock, and the followers. */
import { type Mutant, tested } from './mutant.ts'

const inTabs = (file: string, test: string) => tested(`src/runtime/tabs/${file}.ts`, [`tests/${test}.test.ts`])

const leader = inTabs('leaderTab', 'runtime/tabs/prompts')
const election = inTabs('tabs', 'runtime/tabs/tabs')
const shell = inTabs('shell', 'worker/tabs/newLeader')
const rest = inTabs('stopAtRest', 'runtime/tabs/stopAtRest')
const foreign = inTabs('foreignLeader', 'runtime/tabs/foreignLeader')
const follower = inTabs('followerTab', 'runtime/tabs/followerTab')
const rules = tested('src/worker/tabs/tabRules.ts', ['tests/runtime/tabs/followerTab.test.ts'])
const present = inTabs('presentCore', 'runtime/tabs/presentCore')

export const tabMutants: readonly Mutant[] = [
  leader(
    'a closed follower counts as present',
    "followers.delete(id)\n    closeChannels(follower, 'the tab was closed')",
    "closeChannels(follower, 'the tab was closed')",
  ),
  leader('a prompt fails although its tab came back with a new worker', 'if (isHere(tab)) return\n', ''),
  leader('a tab that came back leaves when its former worker ends', ' && !isHere(follower.tab)', ''),
  leader('a second join opens a follower’s channels again', 'if (!follower.joined) serve(', 'serve('),
  leader(
    'a leader that is opening stays silent',
    "if (!running) return greeting.postMessage({ k: 'opening', from: peer } satisfies Greeting)",
    'if (!running) return',
  ),
  leader('an answered prompt fails when its tab is closed', 'asked.delete(effectId)\n        return', 'return'),
  leader('the prompts of every tab fail when one is closed', 'if (where !== tab) continue\n', ''),
  election(
    'the lead is handed over before the core has stopped',
    'if (!(await ports.stopCore()))',
    'if (!ports.stopCore())',
  ),
  election(
    'a leader gives itself up before it says to whom it yields',
    'post({ leads: false, reply: true, yieldsTo: asker })\n    ports.stepDown()',
    'ports.stepDown()\n    post({ leads: false, reply: true, yieldsTo: asker })',
  ),
  election(
    'a silent leader is not asked before it is replaced',
    'if (isLed || foreign.isKnown())',
    'if (foreign.isKnown())',
  ),
  election(
    'a leader that took over from a silent one loses the lead to the next tab',
    '(await holder()) === silent',
    'true',
  ),
  election('the turn to steal the lead is never given back', 'turn.release()', ''),
  shell(
    'a leader whose lock was stolen goes on',
    "void lock.lost.then(() => stepDown('another tab leads now, because this one did not answer'))\n",
    '',
  ),
  rest('an order placed during the last commit is lost', 'if (!isWritten || isBusy())', 'if (!isWritten)'),
  rest(
    'the lead is handed over without a strict commit',
    'journal.flush(strictest(journal))',
    "journal.flush('relaxed')",
  ),
  shell('a follower takes the lead as if nothing was before it', 'hasFollowed = true\n', '\n'),
  shell(
    'followers do not hear that a step is over',
    'tabs?.stepping(input?.n ?? 0)',
    'if (input) tabs?.stepping(input.n)',
  ),
  shell(
    'a worker that leads later does not know the life that its page attached to',
    'if (begun) begun = { ...begun, hello: { ...begun.hello, lastLife: welcome.life } }\n',
    '',
  ),
  foreign(
    'a foreign leader that never told whether an order is open loses the lead',
    'if (leader.busy === false)',
    'if (!leader.busy)',
  ),
  foreign(
    'a leader that answers loses the lead to a tab of another build',
    "if (said?.leads) return said.busy ? 'busy' : 'silent'",
    'if (said?.leads) return taken()',
  ),
  foreign(
    'the end of any foreign tab counts as the leader’s',
    'if (leader?.id === id) leader = undefined\n    },',
    'leader = undefined\n    },',
  ),

  follower('a fact is taken a second time', 'seq > last)', 'seq >= last)'),
  follower('a batch counts as its first fact', 'last += fresh.length', 'last = first.seq'),
  follower(
    'facts that arrive while the page attaches are lost',
    'early = mine\n    const attached = await calls.attach(hello)',
    'const attached = await calls.attach(hello)\n    early = mine',
  ),
  follower('an attach that another replaced counts', 'if (early !== mine) return attached\n', ''),
  follower('the step of the former leader stays in mind', 'inStep = 0\n    leader =', 'leader ='),
  follower('a leader of an earlier life is followed', 'data.life < leader.life && !isSilent()', 'isSilent()'),
  follower(
    'a leader that has ended holds up the next',
    'data.life < leader.life && !isSilent()',
    'data.life < leader.life',
  ),
  follower('a fact that is on its way counts as missed', 'last < before', 'last < pong.seq'),
  follower('a tab that slept counts its own silence', 'if (at - tickedAt > 2 * pingMs) isAnswered()\n', ''),
  follower('a hidden tab takes the lead', 'ports.visible() && at - heardAt', 'at - heardAt'),
  follower(
    'a silent leader is told again at every tick',
    'heardAt = at\n      ports.leaderSilent()',
    'ports.leaderSilent()',
  ),
  rules('a pairing code is read before the leader has it on disk', 'await commit()', 'void commit()'),
  follower(
    'calls to a lost leader stay open',
    "before?.line.lose(new Fault('core_lost', 'the leading tab is gone'))\n",
    '',
  ),
  follower('answers of the leader do not count as heard', 'of [toLeader, toPage]) channel', 'of [toPage]) channel'),
  follower('messages of a former leader count', 'else if (data.from === leader?.id)', 'else'),
  present('an attach whose core is lost meanwhile fails', 'if (to === core) throw cause', 'throw cause'),
]
