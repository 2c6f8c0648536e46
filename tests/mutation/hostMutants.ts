/** Faults around the core: crash guard and quarantine, inbox, dispatcher, calls. */
import { type Mutant, tested } from './mutant.ts'

const inTabs = (name: string) => `tests/worker/tabs/${name}.test.ts`
const inHost = (file: string, ...more: string[]) =>
  tested(`src/worker/host/${file}.ts`, [`tests/worker/host/${file}.test.ts`, ...more])

const guard = tested('src/runtime/host/crashGuard.ts', [
  'tests/worker/host/crashGuard.test.ts',
  'tests/worker/host/inbox.test.ts',
])
const quarantine = tested('src/runtime/core/createQuarantine.ts', [
  'tests/worker/core/core.test.ts',
  'tests/worker/host/inbox.test.ts',
])
const openCore = tested('src/worker/host/openCore.ts', [inTabs('poison')])
const inbox = tested('src/runtime/host/inbox.ts', ['tests/worker/host/inbox.test.ts'])
const dispatcher = tested('src/runtime/host/dispatcher.ts', ['tests/worker/host/dispatcher.test.ts'])
const movesMoney = inHost('money/movesMoney')
const calls = inHost('calls/calls')
const commandOnce = tested('src/runtime/calls/commandOnce.ts', ['tests/runtime/calls/commandOnce.test.ts'])
const onceRules = tested('src/worker/host/calls/onceRules.ts', [
  'tests/runtime/calls/answerOnce.test.ts',
  'tests/runtime/calls/commandOnce.test.ts',
])
const once = tested('src/runtime/calls/once.ts', [
  'tests/runtime/calls/answerOnce.test.ts',
  'tests/runtime/calls/commandOnce.test.ts',
])
const named = inHost('named')
const deviceAway = tested('src/worker/host/withoutDeviceParts.ts', [
  'tests/worker/host/withoutDeviceParts.test.ts',
  inTabs('deviceAway'),
])
const endSessions = inHost('calls/endSessions')
const waits = tested('src/runtime/host/waits.ts', ['tests/worker/host/calls/endSessions.test.ts'])
const callsOver = tested('src/runtime/calls/callsOver.ts', ['tests/runtime/page/remote.test.ts'])

export const hostMutants: readonly Mutant[] = [
  guard('an input is stepped before it is on disk', 'await flush()', 'void flush()'),
  guard(
    'the page hears of a step before its input is on disk',
    '// A disk that refuses is told by the journal itself\n        await flush()\n        stepping(input)',
    'stepping(input)\n        await flush()',
  ),
  guard('suspicions of another build count', 'care?.build === build ? care : {}', 'care ?? {}'),
  guard('an input is suspected though no life ended in its step', 'n !== diedInStep || type', 'type'),
  guard('a boot is set aside', "type === 'core.boot' || ", ''),
  guard('the newest input set aside is forgotten first', '[keyOf(draft), ...aside]', '[...aside, keyOf(draft)]'),
  guard(
    'an input that went well is suspected in the head still',
    'suspects = left === 0 ? [] : afterStepOf(rules, input, suspects)\n        mark()',
    'mark()\n        suspects = left === 0 ? [] : afterStepOf(rules, input, suspects)',
  ),
  guard('a suspicion waits for the next commit', 'if (draft) void flush()\n', ''),
  guard('an input that went well clears all others', 'suspects.filter(suspect => suspect !== well)', '[]'),
  quarantine('a second press like the one set aside is one with it', ', tab, ref]\n', ', tab]\n'),
  quarantine(
    'a timer that is set again is one with that set aside',
    "isKept(type) || type === 'timer.fired' ? to",
    'isKept(type) ? to',
  ),
  quarantine('presses are suspected by their type', 'ref !== undefined || identityOf(draft)', 'identityOf(draft)'),
  quarantine(
    'a press that is set aside loses its ref',
    'if (ref !== undefined) instead.ref = ref\n      return instead',
    'return instead',
  ),
  quarantine(
    'a timer that is set aside is not named',
    'if (timerId !== undefined) instead.data',
    'if (false) instead.data',
  ),
  tested('src/worker/core/promptEnds.ts', ['tests/worker/core/core.test.ts', 'tests/worker/host/inbox.test.ts'])(
    'a wallet’s answer that is set aside counts as a refusal',
    "code: 'wallet_gone', message: setAsideMessage",
    "code: 'user_rejected', message: setAsideMessage",
  ),
  inbox('an input newly set aside is taken when it comes again', 'aside = way.aside\n', ''),
  openCore(
    'a page that is loaded again tries nothing anew',
    'suspects, aside: [] })',
    'suspects, aside: care.aside })',
  ),
  openCore(
    'a suspicion is forgotten when somebody loads the page again',
    "cause === 'lost' || suspects.length > 0",
    "cause === 'lost'",
  ),

  inbox('a stopped inbox leaves waiting calls open', 'queue = []\n      over(lost())', 'queue = []'),
  inbox('a core that broke counts as settled', 'if (broken) return Promise.reject(lost())\n', ''),
  dispatcher('acknowledgements go out alone only once', 'isWaiting = false\n      holdWith([])', 'holdWith([])'),
  dispatcher('acknowledgements that went with others go out again', 'deferred = []\n    holdStored', 'holdStored'),
  dispatcher('a wallet’s window never opens over a log that broke', '.then(goOn, goOn)', '.then(goOn)'),
  dispatcher(
    'a payment leaves a log in memory as if it was kept',
    "hold(effects.filter(needsDisk), 'strict')",
    "hold(effects.filter(movesMoney), 'relaxed')",
  ),
  dispatcher(
    'on a lost disk a sender forgets what is not kept',
    "if (journal.storage !== 'memory') return hold",
    "if (journal.storage === 'durable') return hold",
  ),
  dispatcher('an effect refused by the disk forgets its tab', 'data: { failure }, ...tab })', 'data: { failure } })'),
  movesMoney(
    'a link’s message moves no money',
    " && type !== 'link.send') return !harmless.has(type)",
    ") return !harmless.has(type) && type !== 'link.send'",
  ),
  movesMoney('a message of no request moves money', 'asked !== undefined && !', 'asked === undefined || !'),
  calls(
    'a core that ended acknowledges what it took',
    "if (isOver()) throw new Fault('core_lost', 'a call expected the core to keep what it took, it has ended')\n",
    '',
  ),
  calls(
    'a wallet’s answer is acknowledged before its step',
    '...to, tab })\n    }\n    await inbox.settled()',
    '...to, tab })\n    }',
  ),
  calls(
    'a wallet’s answer is acknowledged before it is strictly on disk',
    '...to, tab })\n    }\n    await inbox.settled()\n    await kept(strictest(journal))',
    "...to, tab })\n    }\n    await inbox.settled()\n    await kept('relaxed')",
  ),
  calls('a command of a core that ended is acknowledged', 'if (isOver()) throw cause\n    })', '})'),
  calls(
    'an order placed while sessions end is erased',
    '// An order may have been placed meanwhile\n      if (moneyUnderWay(core.model)) return false\n',
    '',
  ),
  calls(
    'the log is erased under a core that goes on',
    'stop()\n      try {\n        await open.erase()',
    'try {\n        await open.erase()\n        stop()',
  ),
  calls('a log that cannot be erased leaves its pages without a core', "pages.restart('another')\n", ''),
  calls('a page attaches to a model that goes on', 'structuredClone(core.model)', 'core.model'),
  calls('page facts are acknowledged before they are written', 'await taken()\n    },', 'void taken()\n    },'),
  commandOnce('a command is not looked up in the log', 'isTaken(await lines, { ref })', 'isTaken([], { ref })'),
  commandOnce('a command overtakes one that is looked up', 'given.again || lookups > 0', 'given.again'),
  onceRules(
    'a message to sign that may be with the wallet is sent again',
    "type !== 'request.send' ||",
    "type === 'request.send' ||",
  ),
  onceRules(
    'any failure of the core counts as the wallet’s answer',
    "type !== 'wallet.failed' || !ownEnds.has((data.failure as Failure).code)",
    'true',
  ),
  once('what was refused cannot come again', 'taking.catch(() => taken.delete(name))', 'taking.catch(() => undefined)'),
  named('bytes that the model names are deleted', '!named.has(ref)', 'named.has(ref)'),
  named('bytes without a name stay', 'if (orphans.length > 0)', 'if (orphans.length < 0)'),
  named('the bytes of an order under way are deleted', 'note(signedRefOf(order))', 'void order'),
  deviceAway('a life without its device has no timers', 'table: drivers', 'table: {}'),
  deviceAway('effects without a device never end', 'absent: failure', 'absent: undefined as never'),
  deviceAway('a life without its device claims its drivers', 'ready: async () => false', 'ready: async () => true'),
  endSessions('the wait for the relay begins before the sessions end', 'await inbox.settled()', 'void inbox.settled()'),
  endSessions('an erase does not wait for sealed messages', 'Object.keys(parting).length > 0 ||', ''),
  tested('src/worker/host/calls/endSessions.ts', [inTabs('tabs')])(
    'an erase leaves the wallets of this device connected',
    "inbox.take({ type: 'connection.disconnect', data: { connectionId }, tab })",
    'void connectionId',
  ),
  waits('a wait for what is so already lasts until the next step', 'if (holds(core.model)) return resolve()\n', ''),
  callsOver('a call over a lost line waits for ever', 'if (lost) return reject(lost)\n', ''),
]
