/**
 * Planted faults, one at a time in a copy of the core: each must be caught by the recordings or by a seed, or, where no world
 * could, by the tests it names.
 */
import { type Mutant, tested } from './mutant.ts'
import { runtimeMutants } from './runtimeMutants.ts'
import { operatorMutants } from './operatorMutants.ts'
import { backendMutants } from './backendMutants.ts'
import { invoiceMutants } from './invoiceMutants.ts'
import { payoutMutants } from './payoutMutants.ts'
import { pulseMutants } from './pulseMutants.ts'
import { requestMutants } from './requestMutants.ts'
import { screenMutants } from './screenMutants.ts'
import { sendMutants } from './sendMutants.ts'
import { serviceMutants } from './serviceMutants.ts'
import { walletConnectMutants } from './walletConnectMutants.ts'

const inFile =
  (file: string) =>
  (what: string, find: string, replace: string): Mutant => ({ file, find, replace, what })

const core = inFile('src/runtime/core/coreMachine.ts')
const inbox = inFile('src/runtime/host/inbox.ts')
const dispatcher = inFile('src/runtime/host/dispatcher.ts')
const connection = inFile('src/worker/deciders/connection.ts')
const listing = inFile('src/worker/deciders/listing.ts')
const network = inFile('src/worker/deciders/network.ts')
const balance = inFile('src/worker/deciders/sale/balance.ts')
const order = inFile('src/worker/deciders/order/order.ts')
const orderTests = ['tests/worker/deciders/order/order.test.ts']
const answer = tested('src/worker/deciders/order/answer.ts', orderTests)
const ask = tested('src/worker/deciders/order/ask.ts', orderTests)
const gate = inFile('src/worker/deciders/order/gate.ts')
const place = inFile('src/worker/deciders/order/place.ts')
const press = tested('src/worker/deciders/order/place.ts', orderTests)
const compared = tested('src/worker/deciders/order/place.ts', ['tests/worker/deciders/order/expected.test.ts'])
const watch = tested('src/worker/deciders/order/watch.ts', orderTests)
const watched = tested('src/events/subjects/order/watchedOrder.ts', orderTests)
const proof = inFile('src/worker/deciders/order/proof.ts')
const landed = inFile('src/worker/deciders/order/landed.ts')
const outbox = inFile('src/worker/deciders/relay/outbox.ts')
const witness = inFile('src/worker/deciders/relay/attestation.ts')
const page = inFile('src/worker/deciders/page.ts')
const pairing = inFile('src/worker/deciders/pairing/pairing.ts')
const pairingTimers = inFile('src/worker/deciders/pairing/pairingTimers.ts')
const relay = inFile('src/worker/deciders/relay/relay.ts')
const socket = inFile('src/worker/deciders/relay/socket.ts')
const request = inFile('src/worker/deciders/request/request.ts')
const heard = tested('src/worker/deciders/request/request.ts', [
  'tests/worker/deciders/request/request.test.ts',
  'tests/worker/deciders/request/send.test.ts',
])
const askSession = inFile('src/worker/deciders/request/askSession.ts')
const sale = inFile('src/worker/deciders/sale/sale.ts')
const reread = tested('src/worker/deciders/sale/sale.ts', ['tests/worker/deciders/sale/contradicted.test.ts'])
const saleNotices = inFile('src/worker/deciders/sale/saleNotices.ts')
const heldNotices = tested('src/worker/deciders/sale/saleNotices.ts', ['tests/worker/deciders/saleTrust.test.ts'])
const ledgerTests = ['tests/worker/deciders/sale/ledger.test.ts']
const ledger = tested('src/worker/deciders/sale/ledger.ts', ledgerTests)
const audit = tested('src/worker/ledger/audit.ts', ['tests/worker/ledger/audit.test.ts'])
const accounted = tested('src/events/subjects/sale/purchase.ts', ledgerTests)
const counted = tested('src/events/sale/saleNow.ts', ledgerTests)
const session = inFile('src/worker/deciders/session/session.ts')
const sessionEnd = inFile('src/worker/deciders/session/sessionEnd.ts')
const sessionEvents = inFile('src/worker/deciders/session/sessionEvents.ts')
const sessionCalls = inFile('src/worker/deciders/session/sessionCalls.ts')
const settlement = inFile('src/worker/deciders/session/settlement.ts')
const payloadId = inFile('src/worker/deciders/request/payloadId.ts')
const orderState = inFile('src/events/subjects/order/order.ts')
const orderFold = inFile('src/events/subjects/order/orderFold.ts')
const connectionFold = inFile('src/events/subjects/wallet/connectionFold.ts')
const outboxFold = inFile('src/events/subjects/session/outbox.ts')
const pairingFold = inFile('src/events/subjects/session/pairing.ts')
const requestFold = inFile('src/events/subjects/session/request.ts')
const sessionFold = inFile('src/events/subjects/session/session.ts')
const saleFold = inFile('src/events/subjects/sale/saleFold.ts')
const verdict = tested('src/events/subjects/sale/saleFold.ts', ['tests/worker/deciders/sale/ledger.test.ts'])
const listingFold = inFile('src/events/subjects/service/listing.ts')

export const mutants: readonly Mutant[] = [
  ...walletConnectMutants,
  ...runtimeMutants,
  ...pulseMutants,
  ...serviceMutants,
  core('a fact takes the time of the device', 'at: input.at,\n      type,', 'at: Date.now(),\n      type,'),
  core('a fact loses the command it follows', 'if (input.ref !== undefined) record.ref = input.ref', ''),
  core('an effect forgets that it must wait for the disk', 'if (options?.after) ordered.after = options.after', ''),
  core('an effect forgets its tab', 'if (options?.tab !== undefined) ordered.tab = options.tab', ''),
  core('what is asked is not remembered', 'if (!unanswered.has(type) ||', 'if (unanswered.has(type) ||'),
  core(
    'an answer is taken as often as it comes',
    'if (cause && input.to !== undefined) delete transient.asked[input.to]',
    '',
  ),
  core(
    'chance is the device’s own',
    'return nextRandom(transient.random) % below',
    'return Math.floor(Math.random() * below)',
  ),
  core('effects of a step that threw are carried out', 'effects.splice(firstEffect)', 'effects.slice(firstEffect)'),
  core('facts of a step that threw stay', 'facts.length = firstFact\n      seq = before\n', ''),
  core(
    'an effect of a step that threw waits for its answer',
    'for (const { id: name } of effects.splice(firstEffect)) delete transient.asked[name]',
    'effects.length = firstEffect',
  ),
  core('nothing goes on after a step that threw', 'attempt(goOnAfterFault, ctx, input)', ''),
  core('a boot picks nothing up again', 'for (const decider of deciders) decider.resume?.(ctx)', ''),
  core(
    'the boot keeps the old scratch memory',
    'transient = freshTransient(boot.seed, input.at)\n    }\n    if (!boot)',
    'transient = transient.asked ? transient : freshTransient(boot.seed, input.at)\n    }\n    if (!boot)',
  ),
  inbox(
    'a jump of the clock goes unsaid',
    'if (lastAt !== 0 && (gap < 0 || gap > jumpMs))',
    'if (lastAt !== 0 && gap < 0 && gap > jumpMs)',
  ),
  inbox('a number is left out', 'n += 1\n    const definition', 'n += 2\n    const definition'),
  inbox('an input loses what it answers', 'if (to !== undefined) input.to = to', ''),
  dispatcher(
    'nothing waits for the disk',
    "if (effect.after === 'stored') (",
    "if (effect.after === 'stored' && effects.length < 0) (",
  ),
  dispatcher(
    'what waited for the disk is done twice',
    '() => effects.forEach(run)',
    '() => [...effects, ...effects].forEach(run)',
  ),

  connection(
    'leaving an attempt is not written down',
    "if (attempt.phase !== 'none') ctx.fact('connection.abandoned'",
    "if (attempt.phase === 'none') ctx.fact('connection.abandoned'",
  ),
  connection(
    'an installed wallet is not restored',
    "if (phase !== 'restoring') ctx.fact('connection.restoring', { connectionId })\n    askSilently",
    "if (phase !== 'restoring') return ctx.fact('connection.restoring', { connectionId })\n    askSilently",
  ),
  connection(
    'a restored wallet that shares nothing counts as restored',
    'if (accounts.length === 0) {\n    const message = `${wallet.name}',
    'if (accounts.length === 0) return undefined\n  if (accounts.length < 0) {\n    const message = `${wallet.name}',
  ),
  connection(
    'a late answer makes a connection',
    'if (!attempt) return\n',
    'if (!attempt && accounts.length < 0) return\n',
  ),
  connection(
    'disconnecting leaves the session',
    'if (made.sessionTopic !== undefined) deleteSession',
    'if (made.sessionTopic === undefined) deleteSession',
  ),
  connection(
    'a wallet that left stays connected',
    "ctx.fact('connection.ended', { connectionId, by: 'wallet' })\n      return",
    'return',
  ),
  connection(
    'no timer ends an attempt',
    "ctx.effect('timer.set', { timerId: `attempt:${attemptId}`, at: ctx.at + askMs })\n  },\n  'connection.connectWalletConnect'",
    "},\n  'connection.connectWalletConnect'",
  ),
  connection('an attempt may take four seconds', 'at: ctx.at + askMs', 'at: ctx.at + askMs / 60'),
  listing(
    'a reading that was interrupted stays under way',
    "if (all.phase === 'reading')",
    "if (all.phase === 'idle')",
  ),
  listing(
    'any page of the list is read',
    'if (page !== (isSame ? lane.pages + 1 : 1) && !(isAll && page === 1)) return',
    '',
  ),
  network(
    'another chain is taken as it comes',
    "if (expected !== '' && expected !== genesisHash)",
    "if (expected === '' && expected !== genesisHash)",
  ),
  network(
    'a chain that cannot be reached is not asked again',
    "ctx.effect('timer.set', { timerId: 'network:identify'",
    "ctx.effect('timer.clear', { timerId: 'network:identify'",
  ),
  balance(
    'an older reading of a balance counts',
    'const isOld = known && lags(known, slot) && ',
    'const isOld = known && slot < 0 && ',
  ),
  balance(
    'a balance that could not be read goes unsaid',
    "'chain.readBalances': (ctx, failure, about)",
    "'chain.readSale': (ctx, failure, about)",
  ),

  order(
    'an order that is signed is not taken up again',
    "else if (order.phase === 'signed') openGate(ctx, order, 'send')",
    '',
  ),
  order(
    'an order on its way is not sent again after a restart',
    "else if (order.phase === 'sending') sendOrder(ctx, order, true)",
    '',
  ),
  order(
    'an order is not watched after a restart',
    'countFromNow(ctx, orderId)\n  watchOrder(ctx, orderId)\n}',
    'countFromNow(ctx, orderId)\n}',
  ),
  tested('src/worker/deciders/order/order.ts', ['tests/worker/deciders/order/proof.test.ts'])(
    'the minute of a proof begins with the first look of a life',
    'countFromNow(ctx, orderId)\n  watchOrder(ctx, orderId)\n}',
    'watchOrder(ctx, orderId)\n}',
  ),
  order(
    'an old transaction is asked about without being built anew',
    'const freshMs = 30_000',
    'const freshMs = 30_000_000',
  ),
  order(
    'a wallet that stays silent is waited for without end',
    "ctx.effect('timer.set', { timerId: `silence:${orderId}`, at: clamp(askedAt + silenceMs) })",
    '',
  ),
  order(
    'a page that never came back is not missed',
    'orderWalletGone(ctx, known, `the page that asked ${known.walletName} is gone`)',
    'return',
  ),
  order(
    'an order that was asked is given up like an early one',
    'if (known && isBeforeWallet(known)) giveUpEarly(ctx, known)',
    'if (known) giveUpEarly(ctx, known as never)',
  ),
  answer(
    'what the wallet signed is not compared',
    'if (!check.ok) {',
    'if (!check.ok && order.units === order.quoted) {',
  ),
  answer('a signature is not written down', "ctx.fact('order.signed', { orderId, signature, bytesRef })", ''),
  answer('an answer is taken in any phase', '!(awaitsAnswer(order) || lacksBytes(order))', "order.phase === 'drafted'"),
  answer(
    'a no to a wallet that sends by itself is believed',
    "['user_rejected', 'unauthorized'].includes(failure.code) ||\n    (order.ask.means === 'sign' && failure.code !== 'wallet_gone')",
    'true',
  ),
  answer('a bare signature goes nowhere', 'insertSignature(ctx, order, signature)', ''),
  answer(
    'what a wallet sent is not watched',
    'countFromSent(ctx, orderId)\n  watchOrder(ctx, orderId)',
    'countFromSent(ctx, orderId)',
  ),
  answer('a signature after the proof is not heard', 'const isLate = mayBeNamedLate(order)', 'const isLate = false'),
  answer(
    'what a wallet sent ends with the blockhash that was built',
    'countFromSent(ctx, orderId)\n  watchOrder(ctx, orderId)',
    'watchOrder(ctx, orderId)',
  ),
  ask(
    'a prompt opens however old its press is',
    'ctx.at - scratch(ctx, order.orderId).pressedAt > promptMs',
    'ctx.at < promptMs',
  ),
  ask(
    'the wallet is asked before that is on disk',
    "{ after: 'stored', about: orderId, ...(tab === ''",
    "{ about: orderId, ...(tab === ''",
  ),
  ask('the question is not written down', "ctx.fact('order.asked', { orderId, askId, means })\n  } else", '} else'),
  ask('another account is asked', 'if (connection.accounts[0] !== account)', 'if (connection.accounts.length === 0)'),
  ask(
    'money moves without a durable record',
    "if (core.storage !== 'durable')\n    return giveUp",
    "if (core.storage === 'unknown')\n    return giveUp",
  ),
  gate(
    'the last look looks at nothing',
    "if (failure) {\n    ctx.fact('order.gateRefused', { orderId, failure })\n    forgetBytes(ctx, order.built",
    "if (failure && order.units === '0') {\n    ctx.fact('order.gateRefused', { orderId, failure })\n    forgetBytes(ctx, order.built",
  ),
  gate(
    'the last look does not wait for all it asked for',
    'if (gate.waiting.length > 0) return openGate',
    'if (gate.waiting.length > 9) return openGate',
  ),
  gate('bytes that are about to expire are sent', 'if (left < leastBlocks) {', 'if (left < -1_000_000) {'),
  gate(
    'a gate that missed its readings is not tried again',
    "ctx.effect('timer.set', { timerId: `gate:${orderId}`, at: ctx.at + retryMs })\n  if (memory.gate.before",
    'if (memory.gate.before',
  ),
  gate('an order that passed is not sent', 'sendOrder(ctx, order, true)\n', ''),
  press('purchases on another device are not read again at the press', '  readOnce(ctx, account)\n', ''),
  place('two presses are two orders', 'if (open && !(isSend(open) && isBeforeWallet(open))) return undefined\n', ''),
  ...requestMutants,
  ...screenMutants,
  ...operatorMutants,
  ...backendMutants,
  ...invoiceMutants,
  ...payoutMutants,
  ...sendMutants,
  compared('a transaction that pays something else is signed', 'if (!expected || !check?.ok) {', 'if (!expected) {'),
  place(
    'a retry takes a key of its own',
    'keyForOrder(ctx, account) ?? { orderKey: data.orderKey }',
    '{ orderKey: data.orderKey, code: undefined }',
  ),
  place('statements need not be ticked', 'if (missing.length > 0) {', 'if (missing.length > 9) {'),
  place(
    'old orders stay on show',
    "if (!old.dismissed) ctx.fact('order.dismissed', { orderId: old.orderId })",
    'void old',
  ),
  watch('an order is sent before that is on disk', "{ after: 'stored', about: orderId }", '{ about: orderId }'),
  watch(
    'bytes are sent once and never again',
    "if (order?.phase === 'sending') sendOrder(ctx, order, false)",
    "if (order?.phase === 'seen') sendOrder(ctx, order, false)",
  ),
  {
    ...proof('an order expires before its blockhash does', 'height > built.validUntilHeight', 'height > 0'),
    tests: ['tests/worker/deciders/order/proof.test.ts'],
  },
  {
    ...proof('an answer of a node that is behind counts', 'answerSlot >= heightSlot', 'answerSlot > 0'),
    tests: ['tests/worker/deciders/order/proof.test.ts'],
  },
  {
    ...proof(
      'an order expires though not every transaction was looked at',
      '(whole || isExact)',
      '(whole || !isExact)',
    ),
    tests: ['tests/worker/deciders/order/proof.test.ts'],
  },
  {
    ...proof(
      'an order expires though its blockhash may still be used',
      "if (blockhashes.includes('valid'))",
      "if (proofs.length === 0 && blockhashes.includes('valid'))",
    ),
    tests: ['tests/worker/deciders/order/proof.test.ts'],
  },
  {
    ...proof('a height is believed that cannot be yet', '|| isReachable(', '|| said.height >= 0 || isReachable('),
    tests: ['tests/worker/deciders/order/order.test.ts'],
  },
  {
    ...proof('a height is bounded by a clock that was set', '\n  delete memory.builtAt', ''),
    tests: ['tests/worker/deciders/order/order.test.ts'],
  },
  {
    ...inFile('src/worker/drivers/solana/order/orders.ts')(
      'an endpoint that lied holds back the end of an order',
      'views.filter(({ lies, unseen }) => !lies || !unseen)',
      'views.filter(({ lies, unseen }) => lies || !lies || !unseen)',
    ),
    tests: ['tests/worker/drivers/orderPool.test.ts'],
  },
  {
    ...inFile('src/worker/drivers/solana/order/orderTrace.ts')(
      'another transaction than was asked for is no lie',
      "if (cause instanceof Fault) return 'lie'",
      "if (cause instanceof Fault) return 'unread'",
    ),
    tests: ['tests/worker/drivers/orderPool.test.ts'],
  },
  {
    ...proof('an order expires within its minute', 'ctx.at - memory.since >= blockhashMs', 'ctx.at >= memory.since'),
    tests: ['tests/worker/deciders/order/proof.test.ts'],
  },
  landed(
    'a landed payment is not compared',
    'checkSigned(decoded, agreedOf(one, anyBlockhash)).ok',
    'checkSigned(decoded, agreedOf(one, anyBlockhash))',
  ),
  watch(
    'nobody looks an order up by its reference',
    'const search = proves || isDoubtful ||',
    'const search = !isDoubtful &&',
  ),
  watch(
    'a payment that failed counts as paid',
    "if (error) ctx.fact('order.failedOnChain'",
    "if (error && slot < 0) ctx.fact('order.failedOnChain'",
  ),
  watched(
    'a payment sent late is not looked for',
    'isSilentOrDeclined(order) && sinceAsked(order, at) < lateMs',
    'false',
  ),
  watched(
    'a decline of a wallet that sends counts as certain',
    "(order.phase === 'expired' || failureOf(order)?.code === 'user_rejected')",
    "order.phase === 'expired'",
  ),
  watch('one missing look counts as a fork', 'const forkMisses = 3', 'const forkMisses = 1'),
  watch('a dropped payment is not noticed', "ctx.fact('order.unseen', { orderId })", ''),
  watch(
    'the bytes are forgotten when they are first seen',
    "ctx.fact('order.confirmed', { orderId, slot })",
    "ctx.fact('order.confirmed', { orderId, slot })\n    forget(ctx, order)",
  ),

  outbox(
    'a message goes out twice',
    'correlationId: payloadId }, held)\n',
    "correlationId: payloadId }, held), ctx.effect('relay.propose', { callId, pairingTopic: topic, messageRef, ttl, correlationId: payloadId }, held)\n",
  ),
  outbox('a message that was taken stays', "ctx.fact('outbox.taken', { callId })\n", ''),
  outbox(
    'a message whose life is over goes out still',
    'if (ready.expiresAt <= ctx.at) return giveUp(ctx, ready.callId, tooLate)',
    'if (ready.expiresAt < 0) return giveUp(ctx, ready.callId, tooLate)',
  ),
  outbox(
    'a message is tried once',
    "ctx.effect('timer.set', { timerId: `outbox:${callId}`, at: ctx.at + retryMs })",
    '',
  ),
  outbox(
    'an old relay is not spoken to in its own words',
    "return kind === 'propose' ? 'publish' : 'propose'",
    'return kind',
  ),
  outbox(
    'the sealed bytes are forgotten before they are taken',
    'if (open) transmit(ctx, ready)',
    'forgetMessage(ctx, messageRef)\n    if (open) transmit(ctx, ready)',
  ),
  witness('a silent verify service is waited for by every message', 'ctx.at < (wire.witnessRestsUntil ?? 0)', 'false'),
  witness(
    'a message waits for its witness without an end',
    "ctx.effect('timer.set', { timerId: timerOf(callId), at: ctx.at + (tag === requestTag ? requestMs : proposalMs) })",
    '',
  ),
  page(
    'a device that went offline counts as online',
    "'page.online': (ctx, { online }) => {\n    if (online !== ctx.model",
    "'page.online': (ctx, { online }) => {\n    if (online && online !== ctx.model",
  ),
  pairing('a code is never renewed', 'if (anyVisible(ctx)) renew(ctx, pairingTopic)', ''),
  pairingTimers(
    'a code has no end',
    "ctx.effect('timer.set', { timerId: `pairing:${pairingTopic}`, at: expiresAt })\n}",
    '}',
  ),
  pairing(
    'a proposal is not made again after a restart',
    "if (open.phase === 'created' && !sealed) propose(ctx, open)",
    '',
  ),
  pairing(
    'a key is not derived again after a restart',
    "if (open.phase === 'responded') derive(ctx, open, open.responderKey)",
    '',
  ),
  pairing(
    'any answer answers the proposal',
    '|| payload.id !== open.proposalId) return',
    '|| payload.id === open.pairingTopic) return',
  ),
  relay(
    'a message is acknowledged before it is on disk',
    "ctx.effect('relay.acknowledge', { pushId }, { after: 'stored' })",
    "ctx.effect('relay.acknowledge', { pushId })",
  ),
  relay(
    'a message is not acknowledged',
    'acknowledge(ctx, message.pushId)\n    recordMessage(ctx, message)\n',
    'recordMessage(ctx, message)\n',
  ),
  relay(
    'a repeated message is handled again',
    'if (!isRepeat(ctx, message)) inbound.handle(ctx, message)',
    'inbound.handle(ctx, message)',
  ),
  relay('a message is not remembered', '    recordMessage(ctx, message)\n', ''),
  relay(
    'a lost socket is not opened again',
    "ctx.effect('timer.set', { timerId: 'relay:retry', at: ctx.at + waitMs })",
    '',
  ),
  relay(
    'after a new connection nobody listens',
    'listen(ctx, topicsInUse(ctx), { first: true })\n    republish',
    'republish',
  ),
  relay('after a new connection nothing waiting goes out', 'republish(ctx)\n    ctx.effect', 'ctx.effect'),
  relay(
    'a socket that says nothing is believed',
    'if (ctx.at - relay.heardAt >= quietMs) {',
    'if (ctx.at - relay.heardAt >= quietMs * 1_000_000) {',
  ),
  socket(
    'sockets are opened without measure',
    'relay.opens.length >= opensAMinute',
    'relay.opens.length >= opensAMinute * 1000',
  ),
  socket(
    'no test of a socket ever ends',
    "ctx.effect('timer.set', { timerId: 'relay:probe', at: ctx.at + probeMs })",
    '',
  ),
  request(
    'a request ends twice',
    "if (request.sessionTopic !== sessionTopic || request.phase === 'ended') continue",
    'if (request.sessionTopic !== sessionTopic) continue',
  ),
  heard(
    'an answer from another session counts',
    'return request?.sessionTopic === topic ? request : undefined',
    'return request',
  ),
  request(
    'a request without an answer never ends',
    "ctx.effect('timer.set', { timerId: `request:${open.requestId}`, at: endOf(ctx, open) })",
    '',
  ),
  request(
    'an answered request is not written down',
    "ctx.fact('request.answered', { requestId: request.requestId })",
    '',
  ),
  heard('a late signature is thrown away', 'orderSent(ctx, orderId, payload.signature)\n}', 'return\n}'),
  askSession(
    'a request ends at once',
    'const expiresAt = ctx.at + requestLife.default * 1000',
    'const expiresAt = ctx.at + requestLife.default',
  ),
  askSession(
    'no timer ends a request',
    "ctx.effect('timer.set', { timerId: `request:${requestId}`, at: expiresAt })",
    '',
  ),
  payloadId('payload ids repeat', 'ctx.transient.lastPayloadId = id', 'ctx.transient.lastPayloadId = 0'),
  reread('changed terms are not read again in a tab that follows', " || known.code === 'terms_changed'", ''),
  sale('the sale is read once', "if (ctx.cause?.about === '') pollLater(ctx)", ''),
  sale('a reading that failed is not tried again', '  pollLater(ctx, waitMs)\n', ''),
  sale('a poll resets the pace of notices that cannot be read', '&& !sale.untold', ''),
  sale(
    'terms of another chain are trusted',
    'if (termsGenesis === chainGenesis) return',
    'if (termsGenesis.length === chainGenesis.length) return',
  ),
  ledger(
    'books that are not the announced ones count',
    "if (!ledgerRefusal({ ledger: { phase: 'computed', ...found } }))",
    'if (ctx.at > 0)',
  ),
  ledger('an older announcement takes back newer rows', 'if (slot > part.slot) return', 'if (slot < 0) return'),
  ledger('a verdict that changed is not named', 'rows.filter(row => !now.has(', 'rows.filter(row => now.has('),
  ledger('an order is accounted at each verification', "(one.phase === 'finalised' || changed", '(true || changed'),
  audit(
    'an announcement before the sale is over counts',
    'if (hash !== undefined && isOver(time)) {',
    'if (hash !== undefined) {',
  ),
  audit('a row after the announced one counts', 'i <= byNotice.i', 'i > 0'),
  audit('a row after the checkpoint counts', 'row.slot <= end.slot', 'row.slot > 0'),
  audit('hashes of a live sale are all kept', "if ((accepted ?? '0') !== '0') audit.tail = []", ''),
  accounted(
    'a reading forgets the audited rows',
    '      ...(before?.accounted && { accounted: before.accounted }),\n',
    '',
  ),
  counted('a refused payment counts against the limit', 'units: row.accepted', 'units: row.units'),
  counted('a payment counts by its row and by its listing', '!judged.has(signature)', 'signature !== ""'),
  heldNotices(
    'terms that no notices were held against are sold by',
    'own(sale.pins, terms.terms.id)?.termsHash === terms.termsHash) return undefined',
    "terms.termsHash !== '') return undefined",
  ),
  heldNotices(
    'a late reading for other terms pins these',
    "held === undefined || (terms.phase === 'read' && terms.termsHash === held)",
    "held !== ''",
  ),
  saleNotices('another treasury is paid that no person confirmed', 'if (change) {', 'if (change && !change.before) {'),
  saleNotices(
    'another treasury is pinned that no person confirmed',
    'changesSincePin(ctx.model.sale).length > 0 && accepted !== announced',
    'changesSincePin(ctx.model.sale).length > 99 && accepted !== announced',
  ),
  saleNotices(
    'terms that nobody announced are trusted',
    "if (terms.phase === 'read' && terms.termsHash !== known.termsHash && !distrust)",
    "if (terms.phase === 'unread' && terms.termsHash !== known.termsHash && !distrust)",
  ),
  session('an old update undoes a newer one', 'if (order !== 0 && order < session.updateOrder)', 'if (order < 0)'),
  session(
    'a session that ran out lives on',
    'if (open.expiresAt <= ctx.at) expireSession(ctx, sessionTopic)\n      else',
    'if (open.expiresAt < 0) expireSession(ctx, sessionTopic)\n      else',
  ),
  sessionEnd(
    'a session ends and its requests wait',
    "endRequests(ctx, sessionTopic, {\n    code: 'wallet_gone',\n    message: by",
    "void ({\n    code: 'wallet_gone',\n    message: by",
  ),
  sessionEnd(
    'a session ends and its connection stays',
    "if (connection) ctx.fact('connection.ended', { connectionId: connection.connectionId, by })",
    '',
  ),
  sessionEnd('the wallet is not told of the end', '  tell(ctx, sessionTopic)\n  ctx.effect(', '  ctx.effect('),
  sessionEnd(
    'a wallet that was not told yet is forgotten',
    "ctx.fact('parting.owed', { sessionTopic })",
    "ctx.fact('parting.settled', { sessionTopic })",
  ),
  sessionEvents(
    'an event that nobody asked for is told',
    '!eventsFor(permitted, chainId).includes(event)',
    'event === chainId',
  ),
  sessionCalls(
    'a wallet that does not answer is waited for without end',
    'timerId: `call:${id}`, at: ctx.at + answerMs',
    'timerId: `call:${id}`, at: ctx.at * 2',
  ),
  settlement(
    'a stranger settles',
    'if (payload.controllerKey !== responderKey)',
    'if (payload.controllerKey === responderKey.slice(1))',
  ),
  {
    ...settlement(
      'a settlement in the past is taken',
      '(payload.expiresAt ?? 0) <= ctx.at',
      '(payload.expiresAt ?? 0) < 0',
    ),
    tests: ['tests/worker/deciders/pairing/pairing.test.ts'],
  },
  settlement(
    'a settlement is not answered',
    'answer(ctx, { topic: sessionTopic, payloadId: payload.id, purpose }, wcMethods.wc_sessionSettle.response)',
    'void purpose',
  ),

  orderFold(
    'a confirmed order is never final',
    "'order.finalised': step('finalised', out, refusedPhases, ['seen', 'confirmed', 'expired'])",
    "'order.finalised': step('finalised', out, refusedPhases, ['seen', 'expired'])",
  ),
  // No decider emits a signature for an order that has ended
  orderFold(
    'nobody knows where a payment landed',
    "phase: 'finalised', signed, ...landed }",
    "phase: 'finalised', signed, ...landed, slot: 0 }",
  ),
  orderState(
    'an unknown order counts as ended',
    "const refusedPhases = ['rejected', 'gateRefused', 'abandoned']",
    "const refusedPhases = ['rejected', 'gateRefused', 'abandoned', 'unknown']",
  ),
  orderFold(
    'the proof that nothing was paid is lost',
    "if (fact.type === 'order.expired') return { ...order, proof: proofOf(fact.data) }",
    '',
  ),
  connectionFold(
    'a connection that ended stays the one spoken for',
    'if (view.active === fact.data.connectionId) view.active = nextActive(view)',
    '',
  ),
  connectionFold(
    'an attempt is still under way after it succeeded',
    "view.attempt.attemptId === attemptId) view.attempt = { phase: 'none' }\n      dropEnded",
    "view.attempt.attemptId === wallet.name) view.attempt = { phase: 'none' }\n      dropEnded",
  ),
  outboxFold(
    'a dropped message stays',
    "case 'outbox.dropped':\n      if (own(model.outbox, callId)) delete model.outbox[callId]",
    "if (own(model.outbox, callId)) delete model.outbox[callId]\n      return\n    case 'outbox.dropped':\n      return",
  ),
  pairingFold(
    'a settled pairing stays open',
    "case 'pairing.settled':\n    case 'pairing.expired':",
    "case 'pairing.settled':\n      return\n    case 'pairing.expired':",
  ),
  requestFold(
    'a request that failed stays open',
    "const how = type === 'request.answered' ? 'answered' : type === 'request.failed' && 'failed'",
    "const how = type === 'request.answered' && 'answered'",
  ),
  sessionFold(
    'an extension is forgotten',
    'session.expiresAt = fact.data.expiresAt',
    'session.expiresAt = session.expiresAt + 0',
  ),
  sessionFold('a deleted session stays', 'delete model.session[sessionTopic]', ''),
  verdict('the verdict on another sale stays', '  delete model.ledger\n', ''),
  saleFold(
    'an older reading of the sale counts',
    'if (isOfThisLife(sale.reading, model.core) && lags(sale.reading, fact.data.slot)) return',
    '',
  ),
  listingFold(
    'a wallet stands in the list twice',
    'const fresh = fact.data.wallets.filter(wallet => !ids.has(wallet.walletId))',
    'const fresh = fact.data.wallets.filter(wallet => ids.size >= 0 || !ids.has(wallet.walletId))',
  ),
]
