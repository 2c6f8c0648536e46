/**
 * Faults in the WalletConnect client, each an easy mistake. Where worlds cannot reach or judge it, it names the tests that must
 * catch it: those of the drivers' pure parts, which check a wallet's or relay's messages against the protocol.
 */
import { posix } from 'node:path'
import type { Mutant } from './mutant.ts'

const inDecider =
  (name: string) =>
  (what: string, find: string, replace: string, ...tests: string[]): Mutant =>
    made({ file: `src/worker/deciders/${name}.ts`, what, find, replace }, tests, 'tests/worker/deciders')
const inDriver =
  (name: string) =>
  (what: string, find: string, replace: string, ...tests: string[]): Mutant =>
    made({ file: `src/worker/drivers/${name}.ts`, what, find, replace }, tests, 'tests/worker/drivers')
const inClient =
  (name: string, from = name) =>
  (what: string, find: string, replace: string, ...tests: string[]): Mutant =>
    made(
      { file: `src/worker/walletconnect/${name}.ts`, what, find, replace },
      tests.length > 0 ? tests : [from],
      'tests/worker/walletconnect',
    )

function made(mutant: Omit<Mutant, 'tests'>, tests: string[], folder: string): Mutant {
  return tests.length === 0 ? mutant : { ...mutant, tests: tests.map(name => posix.join(folder, `${name}.test.ts`)) }
}

const outbox = inDecider('relay/outbox')
const answers = inDecider('request/answers')
const ways = inDecider('relay/relayCapabilities')
const missed = inDecider('relay/backlog')
const mail = inDecider('relay/mail')
const relay = inDecider('relay/relay')
const socket = inDecider('relay/socket')
const pairing = inDecider('pairing/pairing')
const proposal = inDecider('pairing/proposal')
const settlement = inDecider('session/settlement')
const session = inDecider('session/session')
const sessionAccounts = inDecider('session/sessionAccounts')
const sessionCalls = inDecider('session/sessionCalls')
const sessionEnd = inDecider('session/sessionEnd')
const sessionEvents = inDecider('session/sessionEvents')
const sessionScope = inDecider('session/sessionScope')
const request = inDecider('request/request')
const sendRequest = inDecider('request/send')
const pageRequest = inDecider('request/pageRequest')
const askSession = inDecider('request/askSession')
const auth = inDecider('pairing/auth')
const authAnswer = inDecider('pairing/authAnswer')
const authEnd = inDecider('pairing/authEnd')
const linkMode = inDecider('pairing/linkMode')
const forget = inDecider('forget')
const forgetOutlived = inDecider('session/forgetOutlived')
const deletedLately = inDecider('session/deletedLately')
const pairingPing = inDecider('pairing/pairingPing')
const relayDriver = inDriver('walletconnect/relay')
const vault = inDriver('walletconnect/vault')
const namespaceChecks = inClient('session/namespaceChecks', 'session/namespaces')
const namespaces = inClient('session/namespaces')
const uri = inClient('link/uri')
const envelope = inClient('crypto/envelope')
const incoming = inClient('relay/incoming')
const payloads = inClient('session/payloads')
const jsonrpc = inClient('relay/jsonrpc')
const refusals = inClient('session/refusals')
const cacao = inClient('auth/cacao')
const recap = inClient('auth/recap', 'auth/cacao')
const authChecks = inClient('auth/authChecks', 'auth/cacao')
const time = inClient('time')
const ids = inClient('relay/ids')

export const walletConnectMutants: readonly Mutant[] = [
  outbox(
    'a proposal that changes its way keeps the old call',
    "  ctx.fact('outbox.dropped', { callId: ready.callId })\n  ctx.fact('outbox.queued', again)",
    "  ctx.fact('outbox.queued', again)",
  ),
  outbox('errors of the relay are not counted', 'errors[callId] = count\n', '', 'relay/outbox'),
  outbox(
    'a message the relay finds senseless is tried for ever',
    'error.code !== invalidParams && !(',
    '!(',
    'relay/outbox',
  ),
  outbox(
    'a topic that fell silent speaks on',
    'if (outgoing.topic !== topic) continue\n    drop(ctx, outgoing.callId)',
    'if (outgoing.topic === topic) continue\n    drop(ctx, outgoing.callId)',
    'relay/outbox',
  ),
  outbox(
    'the keys of a session that ended stay when its wallet cannot be told',
    'if (deleted !== undefined) unlisten(ctx, deleted)\n}',
    '}',
    'relay/outbox',
  ),
  outbox(
    'a plain proposal goes out before anybody listens to its topic',
    'listen(ctx, [topic])',
    'void topic',
    'relay/outbox',
  ),
  outbox(
    'a request is delivered again after its answer',
    "if (own(ctx.model.request, requestId)?.phase === 'sent')",
    'if (own(ctx.model.request, requestId))',
  ),
  outbox(
    'what waits for a link goes over the relay, too',
    'if (outgoing.universal === undefined) publish',
    'publish',
    'pairing/linkMode',
  ),
  outbox(
    'a proposal that changes its way counts as sent',
    'if (wire.unsent?.[ready.callId]) wire.unsent = { ...wire.unsent, [again.callId]: true }\n',
    '',
    'relay/outbox',
  ),
  outbox(
    'a code’s message goes out with its witness although its life is over',
    '  if (outgoing.expiresAt <= ctx.at) giveUp(ctx, callId, tooLate)\n  else transmit(ctx, outgoing)\n}',
    '  transmit(ctx, outgoing)\n}',
    'relay/attestation',
  ),
  ways(
    'a relay that refuses what came is taken for an old one',
    'code !== invalidParams && ',
    '',
    'relay/relayCapabilities',
  ),
  ways(
    'what a relay has learned since is not remembered',
    'lacksMethod(ctx, method) === known',
    'known === false',
    'relay/relay',
  ),
  missed(
    'the same page is asked for again and again',
    'count === 0 || wire.pages >= mostPages',
    'count < 0',
    'relay/mail',
  ),
  missed(
    'the next page is asked for before this one is on disk',
    "...(oneByOne && { oneByOne }) }, { after: 'stored' })",
    '...(oneByOne && { oneByOne }) })',
  ),
  missed('what was missed is fetched by two at once', "if (wire.fetching === '') fetchNext", 'fetchNext', 'relay/mail'),
  missed('an answer to an older fetch counts', 'wire.fetching !== callId || !call', '!call', 'relay/mail'),
  mail(
    'any message with an id heard before is a repeat',
    'asking.has(payload.kind) && remembers',
    'remembers',
    'relay/mail',
  ),
  mail('a message that could not be opened is remembered', "if (payload.kind !== 'unopened') remember", 'remember'),
  mail(
    'a stranger’s message leaves its id behind',
    "if (!isExpected) ctx.fact('mail.dropped'",
    "if (!isExpected && isKnown) ctx.fact('mail.dropped'",
    'relay/mail',
  ),
  mail('what waits for its time is without end', '.slice(-earlyKept)', '', 'relay/mail'),
  relay(
    'a socket that lasted is opened again late',
    'relay.attempt = 0\n  forgetSocket',
    'relay.attempt = 9\n  forgetSocket',
    'relay/relay',
  ),
  relay(
    'a relay that refused is asked again at once',
    "if (urlsLeft(ctx).length === 0) return ctx.fact('relay.refused', { failure })",
    '',
    'relay/relay',
  ),
  relay('a clock that was set back leaves the future in mind', '    forgetFuture(ctx)\n', ''),
  relay(
    'a busy relay is hurried',
    "if (code === 'rate_limited') return backoff",
    "if (code === 'expired') return backoff",
    'relay/relay',
  ),
  relay(
    'a socket nobody needs stays open',
    "ctx.effect('relay.close', {})\n    ctx.fact('relay.closed', {})",
    "ctx.fact('relay.closed', {})",
    'session/session',
  ),
  relay(
    'what was missed is not fetched behind a subscription that is made again',
    'listen(ctx, call.topics, call.first ? { first: true } : {})',
    'listen(ctx, call.topics)',
    'relay/relay',
  ),
  relay(
    'tries stay counted although the device is online again',
    '    relay.attempt = 0\n    wire.refused = []',
    '    wire.refused = []',
    'relay/relay',
  ),
  relay(
    'a glance tries no relay that refused',
    '  ctx.transient.wire.refused = []\n  verify(ctx)',
    '  verify(ctx)',
    'relay/relay',
  ),
  relay(
    'a message by a link speaks for the relay’s socket',
    'if (message.link) return recordMessage(ctx, message)\n',
    '',
    'pairing/linkMode',
  ),
  relay(
    'a sign-in by a link keeps a socket open',
    '!auth.byLink && !isAuthOver(auth)',
    '!isOver(auth)',
    'pairing/linkMode',
  ),
  relay(
    'a session by links keeps a socket open',
    "isAny(ctx.model.session, session => session.transport !== 'link')",
    'isAny(ctx.model.session, () => true)',
    'pairing/linkMode',
  ),
  relay(
    'a list of topics that is too long is cut',
    'return listen(ctx, topics.slice(half), again)',
    'return',
    'relay/relay',
  ),
  socket(
    'a topic of an answered pairing is not listened to',
    "if (pairing.phase === 'answered') topics.add(pairing.sessionTopic)",
    '',
  ),
  socket(
    'the relay that proved itself is tried last',
    'url === proved), ...urls.filter(url => url !== proved)',
    'url !== proved), ...urls.filter(url => url === proved)',
    'relay/relay',
  ),
  socket(
    'the budget forgets earlier lives',
    'relay.opens = ctx.model.relays.opens.filter(at => at <= ctx.at)',
    'relay.opens = []',
    'relay/relay',
  ),
  socket('call ids repeat within a millisecond', 'BigInt(callId) > last ? callId : String(last + 1n)', 'callId'),
  pairing(
    'a code that ran out leaves its key',
    '  unlisten(ctx, pairing.pairingTopic)\n  if (pairing',
    '  if (pairing',
  ),
  pairing('a wallet that answered ends with its code', 'hasAnswer ? settleMs : 0', 'hasAnswer ? 0 : 0'),
  pairing(
    'an old topic makes a new pairing',
    'if (reused) return failAttempt(ctx, attemptId, reused)',
    '',
    'session/deletedLately',
  ),
  pairing(
    'a code that is not shown any more fails the attempt',
    'if (wasShown) failAttempt',
    'if (!wasShown) failAttempt',
    'pairing/pairing',
  ),
  pairing(
    'a wallet’s ping on a code goes unanswered',
    "if (payload.kind === 'pairingPing') return",
    "if (payload.kind === 'ping') return",
  ),
  pairing(
    'the proposal beside an attempt that was left lives on',
    'if (!attempt) {\n      forgetTopic(ctx, pairingTopic)\n      return\n    }',
    'if (!attempt) return',
    'pairing/pairing',
  ),
  proposal(
    'what was required is not asked for',
    'mergeNamespaces(proposal.required, proposal.optional)',
    'proposal.optional',
    'pairing/proposal',
  ),
  settlement('what was required need not be approved', 'if (lacking) return lacking.message\n', '', 'pairing/proposal'),
  settlement(
    'a wallet that may sign nothing is connected',
    "if (!methods.has('solana_signTransaction') && !methods.has('solana_signAndSendTransaction'))",
    'if (methods.size === 0)',
  ),
  settlement('a session settles and its code stays', "ctx.fact('pairing.settled', { pairingTopic })\n", ''),
  settlement('chains nobody asked for may be used', '...(unasked.length > 0 && { unasked }),', '', 'pairing/proposal'),
  settlement(
    'a refused settlement leaves its wallet believing',
    "ctx.fact('parting.owed', { sessionTopic: pairing.sessionTopic })\n",
    '',
    'pairing/pairing',
  ),
  session(
    'an extension ends the session a week late',
    'const expiresAt = ctx.at + sessionLife * 1000\n  ctx.fact',
    'const expiresAt = ctx.at + sessionLife * 2000\n  ctx.fact',
  ),
  session(
    'a namespace that was left comes back with an update',
    'withoutNamespaces(payload.namespaces ?? {}, left)',
    'payload.namespaces ?? {}',
    'session/sessionEnd',
  ),
  session(
    'an update without namespaces empties the session',
    'if (!namespaces) {',
    'if (!namespaces && error === undefined) {',
  ),
  session('a ping goes unanswered', "return answerTrue(ctx, sessionTopic, payload.id, 'wc_sessionPing')", 'return'),
  sessionAccounts(
    'a balance is not read for a new account',
    '|| account === connection.accounts[0]) return',
    '|| account !== connection.accounts[0]) return',
    'session/session',
  ),
  sessionCalls(
    'an extension that was refused extends all the same',
    "made.what !== 'extend' || failure",
    "made.what !== 'extend'",
    'session/sessionCalls',
  ),
  sessionCalls(
    'an extension counts from the answer',
    'const expiresAt = made.sentAt + sessionLife',
    'const expiresAt = ctx.at + sessionLife',
    'session/sessionCalls',
  ),
  sessionCalls(
    'news go out that the wallet did not ask for',
    "event !== '' && eventsFor(permitted, chainId).includes(event)",
    "event !== ''",
    'session/sessionCalls',
  ),
  sessionEnd(
    'leaving one namespace ends the session',
    'if (others.length === 0) return deleteSession',
    'if (others.length >= 0) return deleteSession',
    'session/sessionEnd',
  ),
  sessionEnd(
    'the requests of a namespace that was left wait on',
    "endRequests(ctx, sessionTopic, { code: 'wallet_gone', message }, namespace)",
    'void message',
    'request/send',
  ),
  sessionEnd(
    'a session that ended keeps its keys',
    '  unlisten(ctx, sessionTopic)\n  if (by',
    '  if (by',
    'severalWallets',
  ),
  sessionEvents(
    'an account that was not approved is used',
    'accounts.filter(account => approved.has(account))',
    'accounts.filter(() => approved.size > 0)',
    'session/session',
  ),
  sessionScope(
    'what was not asked for is permitted',
    'return permittedNamespaces(askedNamespaces(ctx, proposal), namespaces, unasked)',
    'return permittedNamespaces({}, namespaces, unasked)',
    'session/sessionEvents',
  ),
  request(
    'a no that came late ends the request again',
    'isEnded(open) ? lateOfPage(ctx, open, payload) : answeredPage(ctx, open, payload)',
    'answeredPage(ctx, open as never, payload)',
    'request/send',
  ),
  request(
    'a signature by another key is an answer',
    'if (payload.otherSigner) return fail(ctx, request, otherSigner)\n',
    '',
    'request/send',
  ),
  sendRequest(
    'a chain that was not approved may be asked',
    '|| !approvedChains(permitted).includes(chainId))',
    ')',
    'request/send',
  ),
  sendRequest(
    'a request to a session that is over goes out',
    'if (session.expiresAt <= ctx.at) {',
    'if (session.expiresAt < 0) {',
    'request/send',
  ),
  sendRequest(
    'a request may live for ever',
    'expirySeconds !== undefined && !isRequestLife(expirySeconds)',
    'expirySeconds !== undefined && expirySeconds < 0',
    'request/send',
  ),
  pageRequest(
    'requests go out all at once',
    '(request.askAt ?? request.sentAt) + spacingMs',
    '(request.askAt ?? request.sentAt)',
    'request/send',
  ),
  pageRequest(
    'a request waits for its turn for ever',
    'at > ctx.at && at <= ctx.at + 60 * spacingMs',
    'at > ctx.at',
    'request/send',
  ),
  sessionScope(
    'a request names another public network',
    'found.length > 0 || isPublic(caip2) ? found : approved',
    'found.length > 0 ? found : approved',
    'request/request',
  ),
  askSession(
    'the relay forgets a request before it ends',
    'ttl: Math.floor((expiresAt - sentAt) / 1000)',
    'ttl: Math.floor((expiresAt - sentAt) / 10_000)',
    'request/request',
  ),
  auth(
    'a wallet that does not know one-click auth ends it',
    'sdkErrors.WC_METHOD_UNSUPPORTED.code && fallback)',
    'sdkErrors.WC_METHOD_UNSUPPORTED.code && !fallback)',
    'pairing/auth',
  ),
  auth(
    'an answer to one-click auth counts twice',
    "=== id && open.phase !== 'answered' ? open",
    '=== id ? open',
    'pairing/auth',
  ),
  auth('a contract’s no is not heard', 'if (!isSigned) {', 'if (!isSigned && place < 0) {', 'pairing/auth'),
  authAnswer(
    'an answer to another nonce is taken',
    "if (one.nonce !== asked.nonce) return 'the nonce that was asked for, got another'\n",
    '',
    'pairing/auth',
  ),
  authAnswer('a statement that is over is taken', 'one.expAt <= at', 'one.expAt <= 0', 'pairing/auth'),
  authAnswer(
    'chains nobody asked for are opened',
    'asked.chains.filter(one => one === chain || chains.includes(one))',
    'chains',
    'pairing/auth',
  ),
  authEnd(
    'the code beside one-click auth stays open',
    '  ctx.fact(fact, { pairingTopic: pairing.pairingTopic })\n',
    '',
    'pairing/auth',
  ),
  linkMode(
    'a page without links of its own sends them',
    'return boot.links && redirect?.linkMode',
    'return redirect?.linkMode',
    'pairing/linkMode',
  ),
  forget(
    'a key is forgotten before that is on disk',
    "{ topics: [topic], refs: [] }, { after: 'stored' }",
    '{ topics: [topic], refs: [] }',
  ),
  forgetOutlived(
    'bytes of an answer that is kept are forgotten',
    'ref => !kept.has(ref)',
    'ref => ref.length > 0 || kept.has(ref)',
    'session/forgetOutlived',
  ),
  deletedLately(
    'a topic that was deleted lately may be used again',
    'if (!wasDeleted(ctx.model.deleted, kind, id)) return undefined\n  return {',
    'if (id !== kind) return undefined\n  return {',
    'session/deletedLately',
  ),
  authEnd(
    'the timer of a sign-in that is over stays',
    "  ctx.effect('timer.clear', { timerId: `auth:${auth.authId}` })\n",
    '',
    'pairing/auth',
  ),
  pairing(
    'a code that nobody looks at is renewed when the clock jumps',
    'if (anyVisible(ctx)) renewShown(ctx)',
    'renewShown(ctx)',
    'sleep',
  ),
  pairingPing(
    'a code that is over is pinged',
    'open.expiresAt > ctx.at ?',
    'open.expiresAt >= 0 ?',
    'pairing/pairingPing',
  ),
  relayDriver(
    'an open socket is given up when the time for opening is over',
    'opening.onopen = () => {\n      clearTimeout(timer)',
    'opening.onopen = () => {',
    'relaySocket',
  ),
  relayDriver(
    'a message is acknowledged although its key could not be read',
    "cause.code === 'storage_down' || ",
    '',
    'relaySocket',
  ),
  relayDriver('the end of a socket that was given up is told', 'number === sockets && tell(', 'tell(', 'relaySocket'),
  vault('forgotten messages stay in memory', '        sealed.delete(ref)\n', '', 'walletconnect/vault'),
  socket('a file that is gone counts as an opening', '  relay.opens.pop()\n', '', 'relay/clientAway'),
  socket('a file that is gone counts against its relay', "  wire.url = ''\n", '', 'relay/clientAway'),
  relay(
    'a wallet that is still to hear of its end does not bring the client',
    '(ctx.transient.wire.unloaded !== undefined &&',
    '(false &&',
    'relay/clientAway',
  ),
  relay(
    'what could not be done without the client is done with every socket',
    '    delete ctx.transient.wire.unloaded\n',
    '',
    'relay/clientAway',
  ),
  pairing(
    "a wallet's yes is lost without the client",
    "if (failure.code !== 'reload_needed') rejectProposal",
    'rejectProposal',
    'relay/clientAway',
  ),
  answers('an answer is not on record with its question', "  ctx.fact('mail.owed', owed)\n", '', 'request/answers'),
  answers(
    'what is owed is not given after a restart',
    "ctx.effect('timer.set', { timerId: 'owed', at: ctx.at })",
    'return',
    'request/answers',
  ),
  answers('an answer is sealed twice', '    if (sealing.has(key)) continue\n', '', 'request/answers'),
  answers(
    'an answer is given when nobody keeps it',
    'if (isTooLate(owed, ctx.at)) forgo(ctx, owed)\n    else ',
    '',
    'request/answers',
  ),
  answers(
    'an answer without a key is owed for ever',
    "failure.code === 'expired'",
    "failure.code === 'unknown'",
    'request/answers',
  ),
  answers(
    'an answer that could not be sealed waits for the next life',
    "    else ctx.effect('timer.set', { timerId: 'owed', at: ctx.at + againMs })\n",
    '',
    'request/answers',
  ),
  sessionEnd('a refused wallet is told twice', '!endsByAnswer(ctx, sessionTopic)', 'true', 'session/sessionEnd'),
  made(
    {
      file: 'src/events/subjects/session/outbox.ts',
      what: 'an answer that is kept is owed on',
      find: '      settleOwed(model.mail, fact.data)\n',
      replace: '',
    },
    ['request/answers'],
    'tests/worker/deciders',
  ),
  made(
    {
      file: 'src/events/subjects/session/deleted.ts',
      what: 'a session that is gone is owed answers',
      find: '      forgoOwed(model.mail, sessionTopic)\n',
      replace: '',
    },
    ['request/answers'],
    'tests/worker/deciders',
  ),

  namespaceChecks(
    'a required method need not be given',
    'methods.some(method => !given.methods.includes(method))',
    'methods.every(method => !given.methods.includes(method)) && methods.length > 1',
  ),
  namespaceChecks(
    'an account of another chain stands under a chain’s key',
    '|| chains.includes(key)) continue',
    ') continue',
    '../deciders/request/send',
  ),
  namespaceChecks(
    'any text is an account',
    'accounts.findIndex(account => !isAccountId(account))',
    "accounts.findIndex(account => typeof account !== 'string')",
  ),
  namespaces(
    'chains of a key are lost in merging',
    'unite(isChainId(key) ? [key] : [], value.chains ?? [])',
    'value.chains ?? []',
  ),
  namespaces(
    'methods of every namespace go for each chain',
    'accounts.some(account => chainOf(account) === chain))',
    'accounts.length > 0)',
  ),
  namespaces('accounts of another namespace are permitted', 'one.startsWith(`${name}:`) && ', ''),
  uri(
    'a code that ran out is taken',
    'expiryTimestamp !== undefined && isExpired(expiryTimestamp, moment.nowMs)',
    'expiryTimestamp !== undefined && expiryTimestamp < 0',
  ),
  uri(
    'the last of two equal parameters counts',
    "if (values.has(name)) throw new Fault('bad_input', 'pairing uri expected each parameter once')\n",
    '',
  ),
  uri('an error repeats a long code', 'text.length <= 32 ? text', 'text.length <= 3200 ? text'),
  envelope(
    'an envelope of type 2 is opened',
    'if (type === 2) {',
    "if (type === 2 && way === 'relay' && bytes.length === 0) {",
  ),
  envelope('a type-1 envelope leaves the sender out', 'bytes.set(senderPublicKey, 1)', 'bytes.set(iv, 1)'),
  envelope(
    'links are written in the relay’s alphabet',
    "return way === 'relay' ? toBase64(bytes) : toBase64url(bytes)",
    'return toBase64(bytes)',
  ),
  payloads(
    'a key in capitals answers a proposal',
    'if (!isKey(key) || key !== key.toLowerCase())',
    'if (!isKey(key))',
    'session/payloads',
  ),
  incoming('the seconds of an expiry count as ms', 'expiresAt: expiry * 1000', 'expiresAt: expiry', 'recordedExchange'),
  incoming(
    'any text is a signature',
    '/^[1-9A-HJ-NP-Za-km-z]{64,88}$/.test(given)',
    'given.length > 0',
    '../drivers/walletconnect/pageAnswer',
  ),
  payloads('a settlement without an expiry is taken', '!Number.isSafeInteger(expiry) || expiry < 0', 'expiry < 0'),
  payloads('an event may be named __proto__', '(?!(__proto__|constructor|prototype)$)', '', 'relay/incoming'),
  payloads('null properties are kept', 'value === null || name.length', 'name.length', 'session/payloads'),
  jsonrpc('a push of another form brings no id to acknowledge', '{ echo })', '{})'),
  jsonrpc('an answer that is also a question is taken', 'isBoth || (method', '(method'),
  jsonrpc(
    'an id is read as a number',
    "const id = echo.replaceAll('\"', '')",
    "const id = String(Number(echo.replaceAll('\"', '')))",
  ),
  refusals(
    'a token that ran out looks like a lost socket',
    'if (code === 3000) return',
    'if (code === 3001) return',
    '../drivers/walletconnect/relay',
  ),
  refusals(
    'a relay with too many requests counts as gone',
    'if (code === 1013)',
    'if (code === 1014)',
    '../drivers/walletconnect/relay',
  ),
  cacao('an account of another namespace signs in', '^did:pkh:eip155:', '^did:pkh:[a-z0-9]+:'),
  cacao(
    'a bound that cannot be read binds nothing',
    'if (isoMs(value) === undefined) throw',
    'if (value.length > longest) throw',
  ),
  recap(
    'any resource may allow methods',
    'const last = resources?.at(-1)',
    'const last = resources?.find(one => one.startsWith(prefix))',
  ),
  recap('abilities of any kind are methods', "ability.startsWith('request/')", "ability.includes('/')"),
  authChecks(
    'chains of two namespaces may be asked at once',
    'namespaces.length > 1',
    'namespaces.length > 2',
    '../deciders/pairing/auth',
  ),
  authChecks(
    'a line break slips into what is signed',
    'if (statement !== undefined && /[\\r\\n]/.test(statement)) return lineBreaks\n',
    '',
    '../deciders/pairing/auth',
  ),
  time('the very moment of an expiry is before it', 'nowMs >= expiry * 1000', 'nowMs > expiry * 1000'),
  time('a request may live shorter than the protocol allows', 'seconds >= requestLife.min &&', 'seconds > 0 &&'),
  ids(
    'an id of the same moment counts as stale',
    'BigInt(id) / 1_000n < BigInt(lastId) / 1_000n',
    'BigInt(id) <= BigInt(lastId)',
  ),
]
