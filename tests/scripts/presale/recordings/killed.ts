/**
 * Runs a command on a chain in another process, and dies right after the node took one of its transactions.
 *
 *   node --import tsx killed.ts '{"args":[…],"directory":"…","url":"…","sends":3}'
 */
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import { methodOf } from '../operatorWorld.ts'

/** `url`: the stack's. `sends`: the transaction that is the last. */
export type KilledRun = { args: string[]; directory: string; url: string; sends: number }

const { args, directory, url, sends } = JSON.parse(process.argv[2] ?? '') as KilledRun
let left = sends
/** Calls come one by one, so that each recording has the same order. */
let last: Promise<unknown> = Promise.resolve()
await presaleCommand(args, {
  out: process.stdout,
  err: process.stderr,
  directory,
  call(_url, init) {
    const answered = last.then(() => taken(init))
    last = answered
    return answered
  },
  async wait() {
    await fetch(new URL('/control', url), { method: 'POST', body: '{"advance":33}' })
  },
})

async function taken(init: RequestInit | undefined): Promise<Response> {
  const answer = await fetch(url, init)
  if (methodOf(init) === 'sendTransaction') left -= 1
  if (left === 0) process.kill(process.pid, 'SIGKILL')
  return new Response(await answer.text(), { status: answer.status })
}
