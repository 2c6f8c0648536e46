/** `check` of sales whose token, treasury or terms are not as they should be. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { presaleCommand } from '../../../scripts/presale/command.ts'
import type { Finding } from '../../../scripts/presale/check.ts'
import { programs } from '../../../src/worker/chains/solana/programs.ts'
import { base58, canonicalJson, concat } from '../../stack/solana/bytes.ts'
import { type SolanaStack, startSolana } from '../../stack/solana/server.ts'

const folder = mkdtempSync(join(tmpdir(), 'mai-check-'))
let stack: SolanaStack
let served: Record<string, any>
beforeAll(async () => {
  stack = await startSolana({ clock: 'manual', seed: 'check' })
  served = JSON.parse(await (await fetch(`${stack.url}/terms.json`)).text())
})
afterAll(async () => {
  rmSync(folder, { recursive: true })
  await stack.close()
})

type Account = { owner: string; lamports: number; data: [string, string] }

/** Writes terms with other values. @returns their path */
function terms(name: string, changes: Record<string, unknown> = {}): string {
  const path = join(folder, name)
  writeFileSync(path, canonicalJson({ ...served, ...changes }))
  return path
}

/** Findings of the sale, whose accounts are `strange` in the node's answers. */
async function found(paths: string[], strange: Record<string, Account | null> = {}, more: string[] = []) {
  const told = { out: '', err: '' }
  const call: typeof fetch = async (url, init) => {
    const answer = await fetch(url, init)
    const { method, params } = JSON.parse(String(init?.body))
    if (method !== 'getMultipleAccounts') return answer
    const body = await answer.json()
    const value = body.result.value.map((account: unknown, at: number) => strange[params[0][at]] ?? account)
    return new Response(JSON.stringify({ ...body, result: { ...body.result, value } }))
  }
  const asked = ['check', ...paths.flatMap(path => ['--terms', path]), '--rpc', stack.url, '--json', ...more]
  const io = {
    out: { write: (text: string) => (told.out += text) },
    err: { write: (text: string) => (told.err += text) },
  }
  const code = await presaleCommand(asked, { ...io, call, directory: folder, wait: async () => undefined })
  return { code, findings: JSON.parse(told.out) as Finding[] }
}

describe('a token of Token-2022', () => {
  /** A mint with 9 decimals and no authorities, and extensions by number and content. */
  const mintOf = (...extensions: [type: number, content: Uint8Array][]): Account => {
    const plain = new Uint8Array(166)
    plain.set([9, 1], 44)
    plain[165] = 1
    const parts = extensions.map(([type, content]) => concat(Uint8Array.of(type, 0, content.length, 0), content))
    const data = Buffer.from(concat(plain, ...parts)).toString('base64')
    return { owner: programs.token2022, lamports: 5_000_000, data: [data, 'base64'] }
  }
  const key = new Uint8Array(32).fill(7)
  const content = (length: number, at = 0, byte = 0) => new Uint8Array(length).fill(byte, at, at + 1)
  const ofToken = async (mint: Account) => {
    const path = terms('extended.json', { token: { ...served.token, program: 'token-2022' } })
    const { findings } = await found([path], { [served.token.mint]: mint })
    return findings
      .filter(({ about }) => about.startsWith('token '))
      .map(({ code, level, text }) => `${level}: ${level === 'good' ? '' : `${code} `}${text}`)
  }

  test('with metadata alone is as good as one of the classic program', async () => {
    expect(await ofToken(mintOf([18, new Uint8Array(64)], [19, new Uint8Array(90)]))).toEqual([
      `good: mint ${served.token.mint}, 9 decimals`,
      'good: given up for ever',
      'good: given up for ever',
    ])
  })

  test('with a permanent delegate is a warning, as that one may take it from buyers', async () => {
    expect((await ofToken(mintOf([12, key]))).at(-1)).toBe(
      `warning: TERMS_TOKEN_DELEGATE ${base58(key)} may move and burn it in every wallet`,
    )
  })

  test.each<[string, number, Uint8Array, string]>([
    ['a transfer fee', 1, content(108, 88, 1), 'takes no fee of a transfer'],
    ['accounts that begin frozen', 6, content(1, 0, 2), 'whose new accounts are not frozen'],
    ['no transfers', 9, content(0), 'may be transferred'],
    ['interest', 10, content(52), 'whose amounts are shown as they are'],
    ['a transfer hook', 14, content(64, 40, 1), 'runs no program of its own'],
    ['a pause', 26, content(33, 32, 1), 'is not paused'],
    ['an extension that is not known', 99, content(1), 'known extensions of a token, got number 99'],
  ])('with %s is an error, as payouts refuse it', async (_name, type, bytes, text) => {
    expect(await ofToken(mintOf([type, bytes]))).toEqual([
      expect.stringMatching(new RegExp(`^error: TERMS_TOKEN_TRANSFER .*${text}`)),
    ])
  })
})

describe('a rule that only the chain or another version can tell', () => {
  const mint = () => served.token.mint as string
  const usdc = () => (served.assets as { mint?: string }[]).find(one => one.mint)?.mint ?? ''
  const foreign = { owner: programs.memo, lamports: 5_000_000, data: ['AAAA', 'base64'] } satisfies Account
  const plain = (lamports: number): Account => ({ owner: programs.system, lamports, data: ['', 'base64'] })
  /** A mint of the classic program whose authorities are still there. */
  const ruled = (): Account => {
    const data = new Uint8Array(82).fill(7)
    for (const at of [0, 46]) data.set([1, 0, 0, 0], at)
    data.set([9, 1], 44)
    return { owner: programs.token, lamports: 5_000_000, data: [Buffer.from(data).toString('base64'), 'base64'] }
  }
  type Case = [code: Finding['code'], level: Finding['level'], () => Promise<{ findings: Finding[] }>]

  test.each<Case>([
    ['TERMS_VERSION', 'error', () => found([terms('one.json'), terms('two.json', { end: Number(served.end) + 1 })])],
    ['TERMS_FROZEN', 'error', () => found([terms('one.json'), terms('two.json', { version: 2, softCap: '1' })])],
    [
      'TERMS_CLUSTER',
      'error',
      () => found([terms('chain.json', { cluster: { ...served.cluster, genesisHash: served.authority } })]),
    ],
    ['TERMS_TREASURY_OWNER', 'error', () => found([terms('one.json')], { [served.treasury]: foreign })],
    ['TERMS_TREASURY_KEY', 'warning', () => found([terms('vault.json', { treasury: stack.info.treasuryUsdc })])],
    ['TERMS_TREASURY_RENT', 'warning', () => found([terms('one.json')], { [served.treasury]: plain(890_879) })],
    ['TERMS_TREASURY_ACCOUNT', 'warning', () => found([terms('one.json')], { [stack.info.treasuryUsdc]: plain(1) })],
    ['TERMS_PAYMENT_MINT', 'error', () => found([terms('one.json')], { [usdc()]: foreign })],
    ['TERMS_TOKEN_MINT', 'error', () => found([terms('one.json')], { [mint()]: foreign })],
    ['TERMS_MINT_AUTHORITY', 'warning', () => found([terms('one.json')], { [mint()]: ruled() })],
    ['TERMS_FREEZE_AUTHORITY', 'warning', () => found([terms('one.json')], { [mint()]: ruled() })],
    ['TERMS_RESERVE', 'warning', () => found([terms('one.json')])],
    ['TERMS_RESERVE', 'error', () => found([terms('one.json')], {}, ['--reserve', stack.info.treasuryUsdc])],
  ])('has its code: %s, %s', async (code, level, find) => {
    const { findings } = await find()
    expect(findings.filter(one => one.level !== 'good').map(one => `${one.code} ${one.level}`)).toContain(
      `${code} ${level}`,
    )
  })
})

test('the content file beside the terms is held to its shape, and one that no page can show is named with its place', async () => {
  const told = async (roadmap: unknown) => {
    const content = { format: 'mai-presale-content/1', roadmap, questions: [], links: [] }
    writeFileSync(join(folder, 'content.json'), JSON.stringify(content))
    const { findings } = await found([terms('one.json')])
    return findings.find(({ code }) => code === 'TERMS_CONTENT')
  }
  expect(await told([{ when: '2027', title: 'First delivery' }])).toMatchObject({ level: 'good' })
  const { level, text } = (await told([{ when: '2027' }])) ?? {}
  expect([level, text]).toEqual(['warning', expect.stringMatching(/roadmap.*title.*no page shows any of it/)])
  rmSync(join(folder, 'content.json'))
  expect((await found([terms('one.json')])).findings.filter(({ code }) => code === 'TERMS_CONTENT')).toEqual([])
})
