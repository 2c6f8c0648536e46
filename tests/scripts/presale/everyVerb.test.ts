/** Every verb of the operator's tool: help, examples, refusals, JSON, and dry runs that send and write nothing. */
import { existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../scripts/presale/command.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'
import { methodOf, type OperatorWorld, operatorWorlds } from './operatorWorld.ts'

const reading = ['check', 'ledger', 'export', 'status'] as const
const sending = ['init', 'publish', 'pause', 'resume', 'close', 'checkpoint', 'result', 'plan'] as const
const paying = ['distribute', 'refund'] as const
const ofSale = [...reading, 'prove', ...sending, ...paying] as const
const verbs = [...ofSale, 'key', 'replay'] as const
const wallet = '2xiXgcbXRt31ToWT6KSudLTgjCPMeem8DFY64xM88C3f'
/** Words that a verb takes. */
const words: Record<string, string[]> = {
  result: ['failed'],
  prove: [wallet],
  key: ['none.json'],
}
const folder = mkdtempSync(join(tmpdir(), 'mai-verbs-'))

async function presale(...args: string[]) {
  const told = { out: '', err: '' }
  const code = await presaleCommand(args, {
    out: { write: text => (told.out += text) },
    err: { write: text => (told.err += text) },
    input: () => '[]',
    directory: folder,
  })
  return { code, ...told }
}
afterAll(() => rmSync(folder, { recursive: true }))

test('the help lists every verb', async () => {
  const { out } = await presale('--help')
  expect([...out.matchAll(/^ {2}(\w+) {2,}\S/gm)].map(([, name]) => name).sort()).toEqual([...verbs].sort())
})

describe.each(verbs)('%s', verb => {
  test('has help with a summary, every option in words, and examples that are no wrong commands', async () => {
    const { code, out } = await presale(verb, '--help')
    expect([code, out]).toEqual([0, expect.stringContaining(`Usage: npm run presale -- ${verb} `)])
    expect(out).toMatch(/--json {2,}\S/)
    const examples = [...out.matchAll(new RegExp(`^  npm run presale -- ${verb} (.*)$`, 'gm'))].map(
      ([, text = '']) => text,
    )
    expect(examples.length).toBeGreaterThan(0)
    for (const example of examples) {
      const [given = ''] = example.split(/ [|<] /)
      const args = given
        .split(' ')
        .map(word => (['WALLET', 'MINT'].includes(word) ? wallet : word))
        .map(word => (word.endsWith('.json') ? join(folder, 'no', basename(word)) : word))
      const { err } = await presale(verb, ...args)
      // The command is right; what it names is not here
      expect([example, err]).toEqual([
        example,
        expect.stringMatching(/^(cannot read|cannot make|key from standard input expected)/),
      ])
    }
  })

  test('refuses an unknown option with the nearest known one', async () => {
    const { code, err } = await presale(verb, '--jsn')
    expect([code, err]).toEqual([2, `${verb} has no option --jsn: did you mean --json?\n`])
  })

  test('refuses a flag with a value', async () => {
    const { code, err } = await presale(verb, '--json=yes')
    expect([code, err]).toEqual([2, `--json of ${verb} expected no value, got one\n`])
  })
})

test.each(verbs.filter(verb => verb !== 'replay'))(
  '%s refuses words that it does not take, naming them',
  async verb => {
    const { code, err } = await presale(verb, ...(words[verb] ?? []), 'surplus', 'words')
    const expected = { result: 'success or failed', prove: 'a wallet or a signature', key: 'a key file' }[
      verb as string
    ]
    const got = [...(words[verb] ?? []), 'surplus', 'words'].join(', ')
    expect([code, err]).toEqual([2, `expected ${expected ?? 'options alone'}, got ${got}\n`])
  },
)

describe.each(ofSale)('%s of a sale', verb => {
  const own = words[verb] ?? []

  test('records also a run that is refused, and never into a file that exists', async () => {
    const file = join(folder, `${verb}.jsonl`)
    const { code, err } = await presale(verb, ...own, '--record', file)
    expect([code, err]).toEqual([2, 'expected --terms FILE with the published terms, got none\n'])
    expect((await presale('replay', file)).out).toBe(`${file}: ${verb}, 0 steps: equal\n`)
    const again = await presale(verb, ...own, '--record', file)
    expect([again.code, again.err]).toEqual([2, `--record cannot make ${file}: it exists already\n`])
  })

  test.each<[string, string[], string]>([
    ['no terms', [], 'expected --terms FILE with the published terms, got none'],
    ['terms that are not there', ['--terms', 'nowhere.json'], 'cannot read nowhere.json: there is no such file'],
    ['an option without its value', ['--terms'], `--terms of ${verb} expected FILE after it, got nothing`],
    [
      'two nodes',
      ['--rpc', 'http://a', '--rpc', 'http://b'],
      `--rpc of ${verb} expected to be given once, got it twice`,
    ],
  ])('refuses %s in one sentence', async (_name, args, sentence) => {
    const { code, err, out } = await presale(verb, ...own, ...args)
    expect([code, err, out]).toEqual([2, `${sentence}\n`, ''])
  })
})

describe('on the chain', () => {
  let stack: SolanaStack
  let world: OperatorWorld
  let all: ReturnType<typeof operatorWorlds>
  beforeAll(async () => {
    stack = await startSolana({ clock: 'manual', seed: 'every verb' })
    all = operatorWorlds(stack)
    world = await all.fresh()
  })
  afterAll(async () => {
    all.close()
    await stack.close()
  })
  const args = (verb: string) => [
    verb,
    ...(words[verb] ?? []),
    ...(verb === 'publish' ? ['--reserve', stack.accounts.reserveTokens] : []),
    ...(verb === 'plan' ? ['--kind', 'refunds'] : []),
  ]

  test.each(ofSale)('%s without a node, or with no address of one, names --rpc', async verb => {
    const terms = ['--terms', world.at('terms.json')]
    const none = await presale(...args(verb), ...terms)
    expect([none.code, none.err]).toEqual([2, 'expected --rpc URL with the address of a Solana node, got none\n'])
    const wrong = await presale(...args(verb), ...terms, '--rpc', 'node')
    expect([wrong.code, wrong.err]).toEqual([
      2,
      '--rpc expected an address such as https://api.mainnet-beta.solana.com\n',
    ])
  })

  test.each([...reading, 'prove'])('%s prints JSON, sends nothing and needs no key', async verb => {
    const before = stack.chain.ledger.all().length
    const out =
      verb === 'ledger'
        ? ['--out', world.beside('ledger.jsonl')]
        : verb === 'export'
          ? ['--out', world.beside('books')]
          : []
    const told = await world.run([...args(verb), ...out, '--json'])
    expect(() => JSON.parse(told.out)).not.toThrow()
    expect(stack.chain.ledger.all()).toHaveLength(before)
  })

  test.each(['init', 'publish', ...paying])(
    '%s as a dry run sends and writes nothing, before the sale is published',
    async verb => {
      const [transactions, files] = [stack.chain.ledger.all().length, readdirSync(world.folder, { recursive: true })]
      const { code, out, err } = await world.run([...args(verb), '--dry-run', '--json'])
      if (code === 0) expect(JSON.parse(out)).toMatchObject({ outcome: 'simulated' })
      else expect(err).toMatch(/expected .*, got /)
      expect(stack.chain.ledger.all()).toHaveLength(transactions)
      expect(readdirSync(world.folder, { recursive: true })).toEqual(files)
    },
  )

  test.each<[string, object]>([
    ['init', { outcome: 'unchanged' }],
    ['publish', { outcome: 'unchanged' }],
    ['pause', { outcome: 'simulated', seq: 3 }],
    ['resume', { outcome: 'unchanged' }],
    ['close', { outcome: 'simulated', seq: 3 }],
    ['checkpoint', { outcome: 'simulated', seq: 3 }],
    ['plan', { plan: null, batches: 0 }],
  ])(
    '%s as a dry run of a published sale tells its result as JSON, and sends and writes nothing',
    async (verb, told) => {
      const published = (sale ??= await all.published())
      const before = [stack.chain.ledger.all().length, readdirSync(published.folder, { recursive: true })]
      const { code, out } = await published.run([...args(verb), '--dry-run', '--json'])
      expect([code, JSON.parse(out.trim().split('\n').at(-1) ?? '')]).toMatchObject([0, told])
      expect([stack.chain.ledger.all().length, readdirSync(published.folder, { recursive: true })]).toEqual(before)
      expect(existsSync(published.state)).toBe(true)
    },
  )
  let sale: OperatorWorld | undefined

  describe('with a second node', () => {
    /** The chain under another host, whose answers are changed. */
    const second = () => ['--rpc2', stack.url.replace('127.0.0.1', 'localhost')]
    const through =
      (change: (method: string, result: any) => unknown): typeof fetch =>
      async (url, init) => {
        const answer = await fetch(url, init)
        if (!String(url).includes('localhost')) return answer
        const body = await answer.json()
        return new Response(JSON.stringify({ ...body, result: change(methodOf(init), body.result) }))
      }
    const honest = through((_method, result) => result)
    const withholding = (signature: string | undefined) =>
      through((method, result) =>
        method === 'getSignaturesForAddress'
          ? result.filter((line: { signature: string }) => line.signature !== signature)
          : result,
      )
    /** Each account belongs to another program there. */
    const foreign = through((method, result) => {
      if (method !== 'getMultipleAccounts') return result
      const strange = (account: { owner: string } | null) =>
        account?.owner.startsWith('Sysvar') ? account : account && { ...account, owner: wallet }
      const value = result.value.map(strange)
      return { ...result, value }
    })
    const out = (verb: string, { beside }: OperatorWorld) =>
      verb === 'ledger' ? ['--out', beside('second.jsonl')] : verb === 'export' ? ['--out', beside('second')] : []

    test.each(ofSale)('%s has --rpc2 in its help', async verb => {
      expect((await presale(verb, '--help')).out).toMatch(/^ {2}--rpc2 URL {2,}a second node/m)
    })

    test.each(['ledger', 'export', 'status', 'prove', ...sending.filter(verb => verb !== 'init'), ...paying])(
      '%s is refused when that one withholds a notice, which is named, and nothing is sent or written',
      async verb => {
        const published = (sale ??= await all.published())
        const [hidden] = published.notices()
        const before = [stack.chain.ledger.all().length, readdirSync(published.folder, { recursive: true })]
        const asked = [...args(verb), ...out(verb, published), ...second()]
        const way = { call: withholding(hidden) }
        const told = await (reads(verb) ? published.run(asked, way) : published.signed(asked, way))
        expect([told.code, told.out + told.err]).toEqual([1, expect.stringMatching(new RegExp(`lacks .*${hidden}`))])
        if (verb === 'ledger') return
        expect([stack.chain.ledger.all().length, readdirSync(published.folder, { recursive: true })]).toEqual(before)
      },
    )

    test.each(['check', 'init', 'publish'])('%s is refused when that one tells another treasury', async verb => {
      const before = stack.chain.ledger.all().length
      const asked = [...args(verb), ...second()]
      const told = await (reads(verb) ? world.run(asked, { call: foreign }) : world.signed(asked, { call: foreign }))
      expect([told.code, told.err]).toEqual([
        1,
        expect.stringMatching(/the second node localhost:\d+ expected the accounts .*, got another: it tells ERROR/),
      ])
      expect(stack.chain.ledger.all()).toHaveLength(before)
    })

    test.each(['ledger', 'export', 'status', 'check', 'pause', 'checkpoint', 'plan'])(
      '%s does its work when that one agrees',
      async verb => {
        const published = (sale ??= await all.published())
        const dry = reads(verb) ? [] : ['--dry-run']
        const { code } = await published.run([...args(verb), ...out(verb, published), ...second(), ...dry], {
          call: honest,
        })
        expect(code).toBe(0)
      },
    )
    const reads = (verb: string) => [...reading, 'prove'].includes(verb)
  })

  test.each(['init', 'publish', 'pause', 'resume', 'close', 'checkpoint', 'result', 'plan', ...paying])(
    '%s takes --dry-run or --export-unsigned, not both',
    async verb => {
      const both = ['--dry-run', '--export-unsigned', world.beside('unsigned')]
      const { code, err } = await world.run([...args(verb), ...both])
      expect([code, err]).toEqual([2, 'expected --dry-run or --export-unsigned, got both\n'])
    },
  )
})
