/**
 * The commands of the operator's guide in one process, so that a shell runs the guide without starting Node for each of them.
 *
 * `POST /NAME` with the arguments, each followed by a zero byte; after an empty one comes the standard input. The answer is the
 * standard output; the header `x-code` has the exit code. Waiting moves the chain's time on.
 */
import { createServer } from 'node:http'
import { faucetCommand } from '../../../../scripts/faucetCommand.ts'
import { fillCommand } from '../../../../scripts/fillCommand.ts'
import { presaleCommand } from '../../../../scripts/presale/command.ts'

const [rpc = '', orders = ''] = process.argv.slice(2)

async function control(order: object): Promise<void> {
  await fetch(new URL('/control', rpc), { method: 'POST', body: JSON.stringify(order) })
}

async function run(name: string, args: string[], input: string) {
  const told = { out: '', err: '' }
  const out = (text: string) => (told.out += text)
  const err = (text: string) => (told.err += text)
  const local = { out, err, root: process.cwd() }
  const url = ['--url', rpc]
  if (name === 'faucet') return { code: await faucetCommand([...args, ...url], local), ...told }
  const few = args.includes('--orders') ? [] : ['--orders', orders]
  if (name === 'presale:fill') return { code: await fillCommand([...args, ...few, ...url], local), ...told }
  const io = { out: { write: out }, err: { write: err }, wait: () => control({ advance: 33 }), input: () => input }
  return { code: await presaleCommand(args, io), ...told }
}

const server = createServer((request, response) => {
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    const [given = '', input = ''] = Buffer.concat(parts).toString('utf8').split('\0\0')
    const args = given.split('\0').filter(one => one !== '')
    void run((request.url ?? '').slice(1), args, input).then(({ code, out, err }) => {
      process.stderr.write(`$ ${args.join(' ')}\n${out}${err}`)
      response.setHeader('x-code', String(code))
      response.end(out)
    })
  })
})
server.listen(0, '127.0.0.1', () => {
  const at = server.address()
  process.stdout.write(`${typeof at === 'object' ? at?.port : ''}\n`)
})
