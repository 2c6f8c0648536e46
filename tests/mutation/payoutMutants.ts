/** Planted faults of payouts: claims, payees, plans, batches. */
import { type Mutant, tested } from './mutant.ts'

const inTests = (name: string) => `tests/scripts/presale/payouts/${name}.test.ts`
const source = (name: string) => `scripts/presale/payouts/${name}.ts`
const batches = [inTests('payBatch')]
const payBatch = tested(source('payBatch'), batches)
const lagging = tested(source('payBatch'), [inTests('lagging')])
const lane = tested(source('laneHistory'), [inTests('lagging')])
const proof = tested(source('laneProof'), [inTests('lagging')])
const killed = tested(source('payBatch'), [inTests('kills')])
const found = tested(source('found'), batches)
const limits = tested(source('limits'), [inTests('limits')])
const counted = tested(source('limits'), batches)
const lanes = tested(source('lanes'), batches)
const missing = tested(source('missing'), batches)
const stillOpen = tested(source('stillOpen'), [inTests('stillOpen')])
const leftOut = tested(source('leftOut'), [inTests('leftOut')])
const partial = tested(source('found'), [inTests('leftOut')])
const exported = tested(source('exportUnsigned'), [inTests('exported')])
const payees = tested(source('payees'), [inTests('payees')])
const own = tested(source('found'), [inTests('ownAccount')])
const ownOutflows = tested('scripts/presale/books/outflows.ts', [inTests('ownAccount')])
const batch = tested(source('batch'), [inTests('plans')])
const planFile = tested('src/worker/services/planFile.ts', [inTests('plans')])
const merkle = tested(source('merkle'), [inTests('merkle')])
const claims = tested(source('claims'), [inTests('failedSale')])
const plans = tested(source('plans'), [inTests('verbs')])
const outcomes = tested(source('plans'), ['tests/scripts/presale/saleOver.test.ts'])
const repeated = tested(source('makePlan'), [inTests('interrupted')])
const books = (name: string) => `tests/scripts/presale/books/${name}.test.ts`
const stored = tested('scripts/presale/books/storedLedger.ts', [books('storedLedger')])
const outflowMoves = tested(source('found'), [books('payoutStatus')])
const outflows = tested('scripts/presale/books/outflows.ts', [books('payoutStatus')])
const progress = tested('scripts/presale/books/payoutProgress.ts', [books('payoutStatus')])
const claimStates = tested('scripts/presale/books/claimStates.ts', [books('claimStates')])
const planFiles = tested(source('plans'), [books('payoutStatus')])
const vaults = tested(source('batch'), [inTests('feePayer')])
const vaultKeys = tested(source('openPayout'), [inTests('feePayer')])
const ignored = tested(source('ignoredPlans'), [inTests('noFile')])
const secondNode = tested(source('openPayout'), [inTests('secondNode')])
const compared = tested('scripts/presale/books/secondNode.ts', [inTests('secondNode')])
const comparedOutcome = tested('scripts/presale/books/secondNode.ts', ['tests/scripts/presale/saleOver.test.ts'])

const pay = tested(source('pay'), [inTests('verbs')])
const changed = tested(source('openPayout'), ['tests/scripts/presale/operator.test.ts'])

export const payoutMutants: readonly Mutant[] = [
  pay('a payout that stops does not tell what it paid', "    tell({ paid, unpaid }, ', as the journal has it')\n", ''),
  changed('a payout by changed terms blames the plan', 'first !== undefined && first !== sale.first.hash', 'false'),
  lagging(
    'a second node is not asked',
    'const there = second ? await lookAt(second, paying, batch) : here',
    'const there = here',
  ),
  compared('one node alone names the owner of tokens', ' && source?.owner === there?.owner', ''),
  compared('one node alone tells the time', '|| second.seconds >= first.seconds', '|| second.seconds >= 0'),
  comparedOutcome('a node that is behind ends a sale', "first.outcome === 'open' ||", "first.outcome !== 'open' ||"),
  lagging('an end in the journal is no payment', 'name === about', 'name !== about'),
  lagging('a lane’s payments are not looked for', 'named.length > 0 ?', 'named.length < 0 ?'),
  lane('a list that begins late proves a batch unpaid', 'if (!isBegun) return undefined', ''),
  lane('a lane has no payment from before it was created', 'if (!step) continue', 'if (!step || isBegun) continue'),
  lane(
    'a nonce that was advanced by hand closes its lane',
    "kinds.includes('other') && (failed || batches.length > 0)",
    'kinds.length > 0',
  ),
  lane('a memo behind an advance by hand makes a payment of it', ' && (failed || batches.length > 0)', ''),
  lane('a lane that was closed counts as whole', 'if (step.isOwn) whole.wasClosed = true', ''),
  lane('a closing alone is no sign of an earlier lane', " || (!failed && kinds.includes('empty'))", ''),
  lagging('one node alone tells of a lane that was advanced by hand', 'if (wasAdvanced && !second)', 'if (false)'),
  ignored('a plan with a nonce account counts as unpaid', "account && account.data[0] !== ''", 'false'),
  ignored('a payment of a plan is no sign of it', 'signers.some(signer => payers.has(signer))', 'signers.length === 0'),
  ignored('the journal does not tell of a plan', 'if (line) throw', 'if (line && line.kind === "none") throw'),
  ignored('a plan that was ignored is paid again', 'own === undefined || (await', 'own !== undefined || (await'),
  lane('the list of a lane counts as whole', '(open === undefined || open === step.makes)', 'true'),
  lane('a lane is read whole in each run', '?? lane.proved', ''),
  proof('the lane that one node proved counts for another', 'hosts.includes(host)', 'hosts.length > 0'),
  proof('payments of earlier reservations are forgotten', 'all.flatMap(', 'all.slice(-1).flatMap('),
  payBatch(
    'another attempt has the bytes of the one that failed',
    'const earlier = attemptsOf(paying, batch, signedIn(sending)).length',
    'const earlier = 0',
  ),
  payBatch(
    'a fee is never raised',
    "if (!(cause instanceof Fault) || cause.code !== 'timeout') throw cause",
    'throw cause',
  ),
  killed(
    'a payment of an earlier run is not looked for',
    'if (here.payment) return here.payment',
    'if (here.payment && paidIn(paying, batch)) return here.payment',
  ),
  found('a stranger’s transaction counts as the payment', '!read || !(await isByPayer(read, hashed))', '!read'),
  found('a payment that differs goes unnoticed', 'checkPayment(read, hashed, batch)\n', ''),
  found('a failed transaction counts as the payment', 'if (line.failed) continue', ''),
  found('a payment that costs another amount goes unnoticed', 'if (left !== effect) throw', 'if (left < 0n) throw'),
  found(
    'the payer’s signature is not verified',
    'place >= 0 && (await isSignedBy(plan.payer, message, signatures[place], verify))',
    'place >= 0',
  ),
  limits(
    'a limit of tokens is not reached',
    'most !== undefined && sum > most) {',
    'most !== undefined && sum >= most) {',
  ),
  lanes(
    'a nonce account costs more than its rent',
    'rentMinimum + BigInt(NONCE_ACCOUNT_LENGTH) * 6_960n',
    'rentMinimum + BigInt(NONCE_ACCOUNT_LENGTH) * 6_961n',
  ),
  counted('a batch counts again at a higher fee', 'lamports - before.lamports', 'lamports'),
  counted('the fee of a nonce counts again', 'before.nonce === nonce ? before.fee : 0n', '0n'),
  limits(
    'lamports have no limit',
    "most !== undefined && sum > most)\n    throw beyond('insufficient_sol'",
    "most !== undefined && sum < 0n)\n    throw beyond('insufficient_sol'",
  ),
  outcomes('tokens follow a plan that gives their money back', '  checkOutcome(plan, earlier)\n', ''),
  outcomes(
    'money goes back behind a plan for its tokens',
    ': givesBack(plan) && givesTokens(one.plan)',
    ': givesBack(plan) && givesBack(one.plan)',
  ),
  repeated(
    'a repeated approval is refused',
    'return planned.length === 0 || planned.length < claims.length',
    'return true',
  ),
  missing('closed accounts stay closed', 'at < missing.length; at += mostCreated', 'at < 0; at += mostCreated'),
  leftOut('one node decides that an account cannot receive', 'states.every(', 'states.some('),
  leftOut(
    'a payment that one node alone has frees a claim',
    '(isOne(payments) && payments[0]?.leftOut) || []',
    'payments[0]?.leftOut ?? []',
  ),
  leftOut(
    'a plan counts as void by a payment that left its claims out',
    ' && shared.some(([at]) => !payment.leftOut?.includes(at))',
    '',
  ),
  leftOut('a claim that a later plan has is free', '.filter(claim => !taken.has(claim))', ''),
  partial('any transfer to the payer leaves every row out', "first.units === '0' && !second", '!second'),
  partial('a payment of nothing leaves every row out', 'met === 0 || met < some.length', 'met < some.length'),
  stillOpen('a payment whose nonce moved may still land', ' || !used.has(life.nonceValue)', ''),
  exported('a batch that would fail ends an export', "cause.code !== 'simulation_failed'", "cause.code !== 'timeout'"),
  payees('an unknown payer is paid', 'if (approved.includes(reason) || !source)', 'if (!source)'),
  payees(
    'tokens go to a source that is another’s now',
    'held?.owner === source.owner && held.mint === mint',
    'held?.mint === mint',
  ),
  payees('an empty wallet gets too little to live', 'lamports + units < rentMinimum', 'lamports + units < 0n'),
  payees('a frozen account is paid', 'held.owner === due.owner && !held.frozen', 'held.owner === due.owner'),
  payees('a reserve pays itself', 'if (one.to === reserve)', 'if (one.to === "")'),
  payees('the treasury pays itself', 'if (to === refundAccount(terms, asset, terms.treasury))', 'if (to === asset)'),
  payees('a person names the treasury as payee', 'if (payee === treasury)', 'if (payee === signature)'),
  own(
    'a payment to itself has to leave the account',
    '(to === source ? sum : sum + BigInt(units))',
    '(sum + BigInt(units))',
  ),
  ownOutflows('a payment to itself is no plan’s', ' && to !== account', ''),
  batch('a batch exceeds a transaction', '<= maxTransactionBytes', '<= maxTransactionBytes + 80'),
  batch('a payment cannot be found', 'const references = isFirst ? [ref] : []', 'const references: string[] = []'),
  planFile('a claim is paid twice by one plan', 'if (seen.has(claim))', 'if (seen.size < 0)'),
  merkle('a node has its children in their order', 'compareBytes(a, b) <= 0', 'a.length > 0'),
  claims('a failed sale keeps what it accepted', "outcome === 'failed' ? BigInt(accepted ?? 0) : 0n", '0n'),
  plans('a plan is paid before its notice', 'if (place < 0)', 'if (place < -1)'),
  stored('a changed row is taken', 'bytesToHex(hash) !== h ||', ''),
  stored('a state’s figures are not those of its rows', 'if (said !== found)', 'if (said === undefined)'),
  stored('a changed balance is taken', "hashText([whole, ...lines].join('\\n')) !== check", "check === ''"),
  stored(
    'rows that were cut off are not missed',
    'rows.length !== state.rows || bytesToHex(state.hash) !== last',
    'rows.length > state.rows',
  ),
  outflowMoves(
    'a withdrawal with a plan’s marks is its payment',
    'missingIn(textsOf(moves), textsOf(rows))',
    'missingIn(textsOf(rows), textsOf(rows))',
  ),
  outflows('a batch is paid twice', 'first !== outflow.signature', 'first === undefined'),
  outflows(
    'a plan’s name in a memo is enough',
    '!moves[0]?.refs.includes(payRef(plan.hash, batch))',
    'moves.length === 0',
  ),
  outflows('any small transfer is a cost', 'lanes.includes(move.to) && ', ''),
  progress(
    'a payment that the journal lacks is not looked for',
    'if (!failed && !known.has(signature))',
    'if (!failed && known.has(signature))',
  ),
  progress('more can be paid than is owed', 'left > 0n ? left : 0n', 'left'),
  progress('a plan without its file counts as nothing', 'payouts.every(({ plan }) => plan !== undefined)', 'true'),
  progress(
    'a batch counts as paid before it is',
    'leftOut !== undefined && !leftOut.includes(at)',
    '!leftOut?.includes(at)',
  ),
  claimStates(
    'a claim that was left out stays with its plan',
    "known === undefined || known === 'left_out'",
    'known === undefined',
  ),
  claimStates('a payment by a later plan is not seen', "(state === 'paid' && known !== 'paid')", 'false'),
  planFiles('a changed file is taken for the announced plan', 'hashText(textOf(path)) === hash ?', 'hash ?'),
  vaults('the vault pays for its nonces', 'advanceNonce(nonce, feePayerOf(plan))', 'advanceNonce(nonce, plan.payer)'),
  secondNode(
    'the notices of a second node are not read',
    'noticesNow({ node, second,',
    'noticesNow({ node, second: undefined,',
  ),
  secondNode('the ledger of a second node is not read', '{ earlier, second, io,', '{ earlier, io,'),
  vaultKeys('a plan with another payer of fees is signed by one', 'if (signersOf(hashed.plan) > 1)', 'if (feeKey)'),
]
