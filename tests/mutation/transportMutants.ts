/** Faults of the decisions on requests, and of the driver that sends them. */
import { type Mutant, tested } from './mutant.ts'

const rpc = tested('src/worker/deciders/transport/rpc.ts', [
  'tests/worker/deciders/transport/rpc.test.ts',
  'tests/worker/deciders/transport/anyCalls.test.ts',
])
const endpoints = tested('src/worker/deciders/transport/endpoints.ts', ['tests/worker/deciders/transport/rpc.test.ts'])
const http = tested('src/worker/deciders/transport/http.ts', ['tests/worker/deciders/transport/http.test.ts'])
const retry = tested('src/worker/rpc/retry.ts', ['tests/worker/rpc/retry.test.ts'])
const pools = tested('src/worker/drivers/transport/pools.ts', [
  'tests/worker/drivers/transport/faults.test.ts',
  'tests/worker/drivers/solana/rpc.test.ts',
])
const nodeSocket = tested('src/worker/deciders/order/nodeSocket.ts', ['tests/worker/deciders/order/nodeSocket.test.ts'])
const socketDriver = tested('src/worker/drivers/solana/nodeSocket.ts', [
  'tests/worker/drivers/solana/nodeSocket.test.ts',
])
const driverTable = tested('src/worker/host/driverTable.ts', ['tests/worker/tabs/poison.test.ts'])
const requests = tested('src/worker/drivers/transport/requests.ts', ['tests/worker/drivers/transport/faults.test.ts'])

export const transportMutants: readonly Mutant[] = [
  rpc('calls beyond the limit share', 'rpc.shared >= maxShared', 'rpc.shared > maxShared'),
  rpc('an answer of an earlier call is shared', 'delete rpc.sharers[`c${as}`]\n', ''),
  rpc('a refused batch is not remembered', 'endpoint.noBatches = true\n', ''),
  rpc(
    'a pause that a node asks for is not kept',
    'if (mayRetry && retryAfterMs !== undefined) endpoint.restsUntil',
    'if (false) endpoint.restsUntil',
  ),
  rpc('a call with an effect is repeated', "retries: kind === 'once' ? 0 : ", 'retries: '),
  rpc(
    'a call with an effect goes to the next endpoint',
    "if (job.kind === 'once') return end(ctx, id, job, 'unreachable')\n",
    '',
  ),
  rpc('calls with effects travel together', "kind === 'once' ? 1 : base.most", 'base.most'),
  rpc('a retry begins after the deadline', ' && ctx.at + ms <= job.until', ''),
  rpc('answers that belong together come from two endpoints', "job.kind === 'together' ? { only: place } : {}", '{}'),
  rpc('the budget is not asked', 'if (job.paid !== place) {', 'if (false) {'),
  rpc('times of a clock that went back stay', 'if (byMs >= 0) return\n', 'return\n'),
  rpc('a pool’s timer is forgotten', 'if (pool.waiting.length > 0) setTimer', 'if (false) setTimer'),
  endpoints('an endpoint serves before it has shown its chain', 'isServing(pool, place) === undefined', 'false'),
  endpoints('an endpoint on another chain serves', 'isServing(pool, place) !== false', 'true'),
  http('a pause is not bounded by the deadline', 'if (at <= request.until) {', 'if (true) {'),
  http(
    'a request that was set aside never ends',
    "ctx.effect('http.settle', { requestId, failure: { code: 'core_lost' } })\n",
    '',
  ),
  retry('the wait does not double', '2 ** retry', '1'),
  retry('a budget grows without end', 'Math.max(endpoint.paidUntil, at)', 'endpoint.paidUntil'),
  pools('calls beyond a full request are lost', 'groups = later\n', 'groups = []\n'),
  pools('a turn takes all calls at once', 'let room = maxBatch\n', 'let room = Infinity\n'),
  driverTable('a later life numbers its calls as the one before', 'life * numbersALife', '0'),
  pools(
    'equal calls of two endpoints share',
    "${place.name} ${options.only ?? ''} ${callKey(call)}",
    '${place.name} ${callKey(call)}',
  ),
  pools(
    'calls of a core that has ended wait for ever',
    'for (const { calls } of turn) for (const { done } of calls) done({ fault, isOfRequest: true })\n',
    '',
  ),
  requests(
    'requests of a core that has ended wait for ever',
    'for (const requestId of pending.keys()) end(requestId, { ok: false, fault })\n',
    '',
  ),
  nodeSocket('news move readings without end', 'known.times >= mostMoved || ', ''),
  nodeSocket('news put a reading off again and again', ' || known.at > ctx.at', ''),
  nodeSocket('news move readings close together', 'Math.max(ctx.at, known.at + gapMs)', 'ctx.at'),
  nodeSocket('news during a reading are lost', 'known.again = true\n', ''),
  nodeSocket('news of an older socket count', 'node.socket !== socket || ', ''),
  nodeSocket('a socket stays open after its order', "if (node.phase !== 'waiting') listen(ctx, node, [])", ''),
  nodeSocket('a half-open socket is kept', '  listen(ctx, node, [])\n  lose(ctx, node, false)\n', ''),
  nodeSocket('the wait for the next socket does not grow', 'node.failures += 1\n', ''),
  nodeSocket('an endpoint without sockets is asked again', 'node.refused.push(node.endpoint)\n', ''),
  nodeSocket(
    'an endpoint pays for a device that is offline',
    ' && ctx.model.network.online) node.unopened',
    ') node.unopened',
  ),
  nodeSocket('silence is counted by a clock that went back', 'node.heardAt += byMs\n', ''),
  socketDriver(
    'an account’s flood is reported',
    "else if (!isOver(one, (one.kind === 'account' && one.everyMs) || blockMs)) return\n",
    '',
  ),
  socketDriver('each slot is reported', 'if (isOver(at.slots, aliveMs)) {', '{'),
  socketDriver(
    'a signature is reported again',
    "if (one.kind === 'signature') delete one.subscription\n      else if",
    'if',
  ),
  socketDriver('a refusal of slots goes unnoticed', "if (subscription === undefined) return end('refused', at)\n", ''),
]
