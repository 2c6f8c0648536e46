/** A recording is made of any run, holds no secret and no path of the machine, and replays. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { relative } from 'node:path'
import { setImmediate as nextTask } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../../scripts/presale/command.ts'
import { openLines } from '../../../../scripts/presale/recording/lines.ts'
import { portableRun } from '../../../../scripts/presale/recording/portable.ts'
import { openRecorder } from '../../../../scripts/presale/recording/record.ts'
import { watchFiles } from '../../../../scripts/presale/recording/runFiles.ts'
import type { PresaleVerb } from '../../../../scripts/presale/verb.ts'
import { saleVerbs } from '../../../../scripts/presale/verbs.ts'
import { everyCase } from '../../../everyCase.ts'
import { rollDice } from '../../../simulation/runtime/dice.ts'
import { base58 } from '../../../stack/solana/bytes.ts'
import { type SolanaStack, startSolana } from '../../../stack/solana/server.ts'
import { type OperatorWorld, operatorWorlds, secretsOf } from '../operatorWorld.ts'
import { openPaidSale, type PaidSale } from '../payouts/paidSale.ts'
import { callOf } from '../payouts/world.ts'
import { accessKeys } from './recordedSale.ts'
import { linesOf, presale, recordedRuns } from './replaying.ts'

let stack: SolanaStack
let worlds: ReturnType<typeof operatorWorlds>
let world: OperatorWorld
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'recordings' })
  worlds = operatorWorlds(stack)
  world = await worlds.published()
})
afterAll(async () => {
  worlds.close()
  await stack.close()
})

let runs = 0
const fresh = () => world.beside(`run-${(runs += 1)}.jsonl`)

async function expectEqual(file: string) {
  const { code, out, err } = await presale('replay', file)
  expect([code, out, err]).toEqual([0, expect.stringMatching(/: equal\n$/), ''])
}

describe('a recording', () => {
  test('has the content file that a check reads', async () => {
    const content = { format: 'mai-presale-content/1', questions: [], links: [] }
    writeFileSync(world.at('content.json'), JSON.stringify(content))
    const file = fresh()
    const { out } = await world.run(['check', '--record', file])
    rmSync(world.at('content.json'))
    expect(out).toContain('content.json: a page can show it')
    await expectEqual(file)
  })

  test('has no key from a file or from standard input, in any form', async () => {
    const { authority } = world
    const key = readFileSync(world.at('authority.key'), 'utf8')
    const files = [fresh(), fresh(), fresh()] as const
    expect((await world.signed(['pause', '--record', files[0]])).code).toBe(0)
    const resumed = await world.run(['resume', '--keypair', '-', '--record', files[1]], { input: key })
    expect(resumed.code).toBe(0)
    const base = await world.run(['checkpoint', '--keypair', '-', '--record', files[2]], {
      input: base58(authority.secretKey),
    })
    expect(base.code).toBe(0)
    for (const file of [...files, ...recordedRuns()]) {
      const text = readFileSync(file, 'utf8')
      for (const secret of secretsOf(authority)) expect(text).not.toContain(secret)
      expect(text).not.toContain(Buffer.from(authority.secretKey).toString('hex').slice(0, 64))
      expect(text).not.toContain(key.slice(1, -1))
    }
    expect(linesOf(files[0]).filter(({ kind }) => kind === 'sign').length).toBeGreaterThan(1)
    for (const file of files) await expectEqual(file)
  })

  test('of a key that is refused or open to others tells so, and has nothing of the file', async () => {
    const [broken, open] = [fresh(), fresh()]
    writeFileSync(world.beside('broken.key'), 'my secret words', { mode: 0o600 })
    expect((await world.run(['pause', '--keypair', world.beside('broken.key'), '--record', broken])).code).toBe(2)
    expect(readFileSync(broken, 'utf8')).not.toContain('my secret')
    expect(linesOf(broken)).toContainEqual(expect.objectContaining({ kind: 'refusedKey', option: '--keypair' }))
    await expectEqual(broken)
    writeFileSync(world.beside('open.key'), readFileSync(world.at('authority.key')))
    chmodSync(world.beside('open.key'), 0o644)
    expect((await world.run(['resume', '--keypair', world.beside('open.key'), '--record', open])).code).toBe(0)
    expect(linesOf(open)).toContainEqual(
      expect.objectContaining({
        warning: 'warning: --keypair open.key is open to other users of this machine (mode 644): run chmod 600\n',
      }),
    )
    await expectEqual(open)
  })

  test('has the node’s host, and nothing else of its address, also where the node repeats it', async () => {
    const [path = '', query = ''] = accessKeys
    const url = `https://name:password-of-sixteen@node.test/v2/${path}?api-key=${query}`
    const file = fresh()
    const answers = [
      new Response(`${url} is limited`, { status: 403 }),
      new Response(JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: `no access by ${url}` } })),
    ]
    const args = ['check', '--rpc', url, '--terms', world.at('terms.json'), '--record', file]
    const said = { text: '' }
    const write = (text: string) => (said.text += text)
    const call: typeof fetch = async (...asked) => answers.shift() ?? callOf(stack.chain)(...asked)
    const io = { out: { write }, err: { write }, call, wait: async () => undefined, directory: world.folder }
    await presaleCommand(args, io)
    expect(answers).toEqual([])
    const text = readFileSync(file, 'utf8')
    for (const secret of [path, query, 'password-of-sixteen']) expect(text).not.toContain(secret)
    expect(text).toContain('@node.test/v2/(hidden)?api-key=(hidden)')
    expect(linesOf(file)[0]).toMatchObject({ values: { rpc: ['https://node.test'] } })
    await expectEqual(file)
  })

  const [inPath = '', inQuery = ''] = accessKeys
  test.each<[string, string[], string]>([
    ['a word', [`https://node.test/${inPath}?api-key=${inQuery}`], 'https://node.test/(hidden)?api-key=(hidden)'],
    ['the file of an option', ['--terms', `https://node.test/?${inQuery}`], '/?(hidden)'],
  ])('of an address as %s, where --rpc was forgotten, has no access key', async (_name, args, shown) => {
    const file = fresh()
    const { code, err } = await world.run(['check', ...args, '--record', file])
    expect([code, err]).toEqual([2, expect.stringContaining(inQuery)])
    const text = readFileSync(file, 'utf8')
    for (const secret of accessKeys) expect(text).not.toContain(secret)
    expect(linesOf(file).filter(({ kind }) => kind === 'err')).toEqual([
      { kind: 'err', text: expect.stringContaining(shown) },
    ])
    await expectEqual(file)
  })

  test.each([
    ['?value-of-the-key', '?(hidden)'],
    ['?dmFsdWU9PQ==', '?(hidden)=='],
    ['?api-key=dmFsdWU9PQ==', '?api-key=(hidden)'],
    ['?the-very-key-as-a-name=1', '?(hidden)=1'],
    ['?api-key=a%2Fb%2Fc%2Fd&x=1', '?api-key=(hidden)&x=1'],
    ['#value-of-the-key', '#(hidden)'],
  ])('hides the access key of %s', (end, hidden) => {
    const asked = { words: [], values: { rpc: [`https://node.test/${end}`] } }
    const { text } = portableRun(saleVerbs.check as PresaleVerb, asked)
    expect(text(`no access by https://node.test/${end}`)).toBe(`no access by https://node.test/${hidden}`)
    expect(text(decodeURIComponent(end))).toBe(hidden)
  })

  test.each<[string, (world: OperatorWorld) => string[]]>([
    ['absolute', ({ beside }) => ['--out', beside('published'), '--state', beside('books/state')]],
    [
      'relative',
      ({ folder }) => ['--out', `./${relative('.', folder)}/published`, '--state', `${relative('.', folder)}//state`],
    ],
  ])('has no absolute path: outside of the working directory, %s', async (_name, places) => {
    const elsewhere = await worlds.published()
    const args = [...places(elsewhere), '--export-unsigned', elsewhere.beside('unsigned/close.txt')]
    mkdirSync(elsewhere.beside('unsigned'), { recursive: true })
    const [first, second] = [fresh(), fresh()]
    for (const [file, more] of [
      [first, args],
      [second, args.slice(0, 4)],
    ] as const) {
      const own = [
        '--terms',
        elsewhere.at('terms.json'),
        '--rpc',
        stack.url,
        '--keypair',
        elsewhere.at('authority.key'),
      ]
      const write = () => true
      const wait = async () => stack.chain.advance(8)
      // The working directory is another sale's
      const code = await presaleCommand(['close', ...own, ...more, '--record', file], {
        out: { write },
        err: { write },
        wait,
        directory: world.folder,
      })
      expect(code).toBe(0)
      const text = readFileSync(file, 'utf8')
      for (const part of [elsewhere.folder, relative('.', elsewhere.folder), homedir(), process.cwd()])
        expect(text).not.toContain(part)
      expect(text).toContain('../outside-')
      await expectEqual(file)
    }
    expect(linesOf(first).at(-1)).toMatchObject({
      files: expect.arrayContaining([
        expect.objectContaining({ path: expect.stringMatching(/^\.\.\/outside-\d\/(unsigned\/)?close\.txt$/) }),
      ]),
    })
    expect(linesOf(second).at(-1)).toMatchObject({
      files: expect.arrayContaining([expect.objectContaining({ path: expect.stringMatching(/notices\.json$/) })]),
    })
  })

  test('names paths around the working directory, and inside it, each by its own place', () => {
    const base = '/home/somebody/work'
    const values = { terms: ['/home/somebody/terms.json', `${base}/sale/terms.json`], rpc: ['http://node.test'] }
    const { text, values: portable } = portableRun(saleVerbs.check as PresaleVerb, { words: [], values }, base)
    expect(portable.terms).toEqual(['../outside-1/terms.json', 'sale/terms.json'])
    expect(text(`${base}/sale: /home/somebody/terms.json, in ${base} and /home/somebody-else`)).toBe(
      'sale: ../outside-1/terms.json, in . and /home/somebody-else',
    )
  })

  test('is not made over a file, nor of a key in place of a file', async () => {
    const file = fresh()
    writeFileSync(file, 'mine')
    const over = await world.signed(['pause', '--record', file])
    expect([over.code, over.err]).toEqual([2, `--record cannot make ${file}: it exists already\n`])
    expect(readFileSync(file, 'utf8')).toBe('mine')

    const none = fresh()
    const key = world.at('authority.key')
    const sentence = `--record expected no key among the files that it copies, got one in ${key}\n`
    for (const option of ['--terms', '--allowlist']) {
      const { code, err } = await world.run(['check', option, key, '--record', none])
      expect([code, err]).toEqual([2, sentence])
    }
    expect(existsSync(none)).toBe(false)
  })

  test('of more than 64 MB of files is refused with the size, and the run does not begin', async () => {
    const [large, file] = [world.beside('large.txt'), fresh()]
    writeFileSync(large, '')
    truncateSync(large, 65_000_000)
    const { code, out, err } = await world.run(['check', '--allowlist', large, '--record', file])
    expect([code, out, existsSync(file)]).toEqual([2, '', false])
    expect(err).toBe('--record expected files of at most 64 MB in all to copy, got 65.0 MB: run without it\n')
  })

  test('that can be written no further ends there with one warning, and throws nothing', () => {
    const file = fresh()
    let said = ''
    const full = () => {
      throw Object.assign(new Error('full'), { code: 'ENOSPC' })
    }
    const lines = openLines(file, { err: { write: text => (said += text) } }, full)
    lines.add({ kind: 'wait', id: 1, ms: 1 })
    lines.add({ kind: 'wait', id: 2, ms: 2 })
    lines.close()
    expect(said).toBe(`warning: the recording ${file} ends here: ENOSPC\n`)
  })

  test('is made of answers that reach the verb one by one, each with all that follows from it', async () => {
    const verb = saleVerbs.check as PresaleVerb
    const asked = { words: [], flags: new Set<string>(), values: {} }
    const silent = { write: () => true }
    const call: typeof fetch = async () => new Response('{}')
    const { io } = openRecorder(fresh(), { name: 'check', verb, asked }, { out: silent, err: silent, call })
    const order: string[] = []
    const lane = async (name: string, depth: number) => {
      await io.call?.('http://node.test', { body: '{"id":1,"method":"getHealth"}' })
      for (let steps = 0; steps < depth; steps += 1) await Promise.resolve()
      order.push(name)
    }
    await Promise.all([lane('first', 20), lane('second', 0)])
    expect(order).toEqual(['first', 'second'])
  })

  test('names a file that has the number and the length of the one before it', () => {
    const verb = saleVerbs.status as PresaleVerb
    const values = { terms: [world.at('terms.json')] }
    const asked = { words: [], flags: new Set<string>(), values }
    const written = watchFiles({ verb, asked, directory: world.folder }, portableRun(verb, asked, world.folder))
    const file = world.at('notices.json')
    const text = readFileSync(file, 'utf8')
    const before = statSync(file, { bigint: true })
    // A file system's clock moves in steps of some milliseconds
    for (let now = before; now.ctimeNs === before.ctimeNs; now = statSync(file, { bigint: true }))
      writeFileSync(file, text.replace(/./, '['))
    const [after, named] = [statSync(file, { bigint: true }), written()]
    writeFileSync(file, text)
    expect(after).toMatchObject({ ino: before.ino, size: before.size })
    expect(named.map(({ path }) => path)).toEqual(['sale/notices.json'])
  })

  test('of a run that opens the journal and adds nothing names no file', async () => {
    const file = fresh()
    expect((await world.signed(['resume', '--record', file])).code).toBe(0)
    expect(linesOf(file).at(-1)).toMatchObject({ kind: 'end', files: [] })
  })

  test('changes nothing of what the verb does', async () => {
    const first = await world.run(['check', '--json'])
    const second = await world.run(['check', '--json', '--record', fresh()])
    expect(second).toEqual(first)
  })
})

describe('a recording of a payout on eight lanes', () => {
  let sale: PaidSale
  beforeAll(async () => {
    sale = await openPaidSale('recorded payouts', 'closed')
  })
  afterAll(() => sale.close())

  test.each<[string, number, number]>([
    ['at once', 0, 0],
    ['in any order', 9, 1],
    ...(everyCase ? [['in any order', 4, 2] satisfies [string, number, number]] : []),
  ])('whose answers come %s, up to %i tasks late, replays to the byte', async (_name, late, tranche) => {
    const dice = rollDice<never>({}, late)
    const call: typeof fetch = async (...asked) => {
      for (let turns = dice.between('turns', 0, late); turns > 0; turns -= 1) await nextTask()
      return callOf(sale.stack.chain)(...asked)
    }
    const planning = sale.inFolder(`plan-${tranche}.jsonl`)
    const reserve = ['--tranche', String(tranche), '--reserve', sale.stack.accounts.reserveTokens]
    const plan = ['plan', '--kind', 'tokens', ...reserve, ...sale.key('authority')]
    expect((await sale.presale([...plan, '--record', planning], { call })).code).toBe(0)
    sale.stack.control({ advanceSeconds: 200 * 86_400 })
    sale.stack.chain.advance(40)
    const files = [planning]
    // Each lane's wait moves time on for all: transactions expire, and the command is run again
    for (let code = 1; code !== 0 && files.length < 9; ) {
      const file = sale.inFolder(`pay-${tranche}-${files.length}.jsonl`)
      files.push(file)
      const args = ['distribute', ...sale.key('reserve'), '--record', file]
      code = (await sale.presale(args, { call, isTTY: late > 0 })).code
    }
    for (const file of files) await expectEqual(file)
    const lines = files.flatMap(linesOf)
    expect(lines.at(-1)).toMatchObject({ kind: 'end', code: 0 })
    const sent = (line: (typeof lines)[number]) => line.kind === 'call' && line.method === 'sendTransaction'
    expect(lines.filter(sent).length).toBeGreaterThan(8)
  })

  test('of a ledger on a terminal leaves its moving progress out', async () => {
    const file = sale.inFolder('ledger.jsonl')
    const { code, err } = await sale.presale(['ledger', '--record', file], { isTTY: true })
    expect([code, err]).toEqual([0, expect.stringContaining('\r')])
    expect(readFileSync(file, 'utf8')).not.toContain('\\r')
    await expectEqual(file)
    expect(sale.leaks()).toEqual([])
  })

  test('with a signed payment that may still land ends with a warning', async () => {
    expect((await sale.presale(['plan', '--kind', 'refunds', ...sale.key('authority')])).code).toBe(0)
    let sends = 0
    // The node falls silent with the first payment on its way: the transaction before it makes the lane
    const call = callOf(sale.stack.chain, method => {
      if (method === 'sendTransaction') sends += 1
      if (sends > 1) throw new TypeError('fetch failed')
    })
    // It loses that payment for good, so that another one on the same nonce lands in its place
    const losing: typeof fetch = async (url, init) => {
      const signed = linesOf(`${sale.state}/journal.jsonl`).filter(line => 'bytes' in line) as { bytes?: string }[]
      const { id, method, params } = JSON.parse(String(init?.body))
      lost ??= signed.at(-1)?.bytes
      if (method !== 'sendTransaction' || params[0] !== lost) return callOf(sale.stack.chain)(url, init)
      return new Response(JSON.stringify({ jsonrpc: '2.0', id, result: 'lost' }))
    }
    let lost: string | undefined
    const refund = ['refund', '--lanes', '1', ...sale.key('treasury')]
    const runs = [
      { file: sale.inFolder('stopped.jsonl'), args: refund, way: { call }, ends: 1, isOpen: true },
      { file: sale.inFolder('status.jsonl'), args: ['status'], way: {}, ends: 0, isOpen: true },
      { file: sale.inFolder('finished.jsonl'), args: refund, way: { call: losing }, ends: 0, isOpen: false },
    ]
    for (const { file, args, way, ends, isOpen } of runs) {
      const { code, err } = await sale.presale([...args, '--record', file], way)
      const warnings = err.split('\n').filter(line => line.startsWith('warning: '))
      expect([code, warnings]).toEqual([
        ends,
        isOpen ? [expect.stringContaining(`${file} has a signed payment that may still land: run the payout`)] : [],
      ])
      await expectEqual(file)
    }
  })

  test('leaves no folder of a replay behind, equal or not', async () => {
    const folder = sale.inFolder('temporary')
    mkdirSync(folder)
    const { TMPDIR } = process.env
    process.env.TMPDIR = folder
    try {
      const [equal = '', ...more] = recordedRuns()
      await expectEqual(equal)
      const planted = sale.inFolder('planted.jsonl')
      writeFileSync(
        planted,
        readFileSync(more.at(-1) ?? '', 'utf8').replace('"method":"getTransaction"', '"method":"other"'),
      )
      expect((await presale('replay', planted)).code).toBe(1)
      expect(readdirSync(folder)).toEqual([])
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR
      else process.env.TMPDIR = TMPDIR
    }
  })
})
