/** Planted faults of transfers. */
import type { Mutant } from './mutant.ts'

const decided = ['tests/worker/deciders/order/send.test.ts']
const driven = ['tests/worker/drivers/solana/send.test.ts']
const inDeciders =
  (file: string) =>
  (what: string, find: string, replace: string): Mutant => ({
    file: `src/worker/deciders/order/${file}`,
    find,
    replace,
    what,
    tests: decided,
  })
const send = inDeciders('send.ts')
const place = inDeciders('place.ts')
const expected = inDeciders('expected.ts')
const sendable = (what: string, find: string, replace: string): Mutant => ({
  file: 'src/worker/rpc/sendable.ts',
  find,
  replace,
  what,
  tests: driven,
})

export const sendMutants: readonly Mutant[] = [
  inDeciders('judge.ts')('a transfer begins while the one before may land', 'if (!mayLand)', 'if (!mayLand || at > 0)'),
  inDeciders('ask.ts')(
    'a transfer is asked for though the one before turned out to be sent',
    'if (order.send) return earlierRefusal(ctx, order.account)',
    'if (order.send) return undefined',
  ),
  send('a transfer of nothing is built', "(units === '0' ?", "(units === '00' ?"),
  send('a transfer to the sender is built', '(to === account ?', '(to === account.slice(1) ?'),
  send('the sale takes a transfer unread', 'isOfSale(ctx.model.sale, to) &&', 'isOfSale(ctx.model.sale, account) &&'),
  send('what was mistyped is sent as nothing', '(read?.ok ? undefined', '(read?.ok || units ? undefined'),
  place('a transfer asks the wallet before its person has read it', 'scratch(ctx, orderId).pressedAt === 0 ||', ''),
  place('new rent is paid unread', '(owner !== undefined && !before?.creates)', 'false'),
  place(
    'a transfer waits without end for a chain that is not known when the worker comes back',
    'return network ? refuseOrder(ctx, order, network) : prepareSend(',
    'return prepareSend(',
  ),
  expected('a transfer may cost more than was shown', 'BigInt(fee) > BigInt(shown)', 'BigInt(fee) < BigInt(shown)'),
  expected('an account is created unasked', '...(rent === undefined ? {} : { createdFor: to }),', 'createdFor: to,'),
  inDeciders('gate.ts')('a transfer waits for the sale', 'if (!ofSale) return void readHeight()\n', ''),
  sendable(
    'a token account is a recipient',
    'if (isTokenProgram(account.owner))',
    'if (account.owner === programs.memo)',
  ),
  sendable('a program is a recipient', 'loaders.includes(account.owner)', 'loaders.includes(account.owner.slice(1))'),
  sendable(
    'a look-alike needs no word',
    "isOdd.lookAlike && !confirmed.includes('lookAlike')",
    'isOdd.lookAlike && known.length > 99',
  ),
  sendable(
    'a fee of a token goes unseen',
    'anyByte(content.subarray(88, 90)) ||',
    'anyByte(content.subarray(90, 90)) &&',
  ),
  sendable('a hook goes unseen', 'anyByte(content.subarray(32, 64))', 'anyByte(content.subarray(0, 0))'),
  sendable('rent of a new account is too low', 'rentMinimum + BigInt(bytes)', 'rentMinimum + BigInt(bytes - 1)'),
]
