/**
 * The core has no clock, no chance and no I/O. `tests/house.test.ts` checks its imports; these tests search its built
 * code, and run a log through it while everything impure throws.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { build, type Rolldown } from 'vite'
import { describe, expect, test } from 'vitest'
import { Fault } from '../../src/runtime/failure.ts'
import { deciders } from '../../src/worker/deciders/index.ts'
import { readRecordingFile } from '../../src/main/page/redaction/recordingFile.ts'
import { reexecute } from '../../src/worker/replay/reexecute.ts'
import { boot, connectedLog, createLog, parsed } from '../events/recordedLog.ts'

const root = join(import.meta.dirname, '../..')

/** Names forbidden in the core, each as in code. */
const forbidden: Record<string, RegExp> = {
  Date: /\bDate\b/,
  'Math.random': /\bMath\s*\.\s*random\b/,
  crypto: /\bcrypto\b/,
  fetch: /\bfetch\s*\(/,
  XMLHttpRequest: /\bXMLHttpRequest\b/,
  setTimeout: /\bset(?:Timeout|Interval|Immediate)\b/,
  WebSocket: /\bWebSocket\b/,
  indexedDB: /\bindexedDB\b/,
  queueMicrotask: /\bqueueMicrotask\b/,
  requestAnimationFrame: /\brequestAnimationFrame\b/,
  performance: /\bperformance\b/,
  navigator: /\bnavigator\b/,
  localStorage: /\b(?:local|session)Storage\b/,
  Intl: /\bIntl\b/,
  localeCompare: /\blocaleCompare\b/,
  toLocale: /\btoLocale[A-Z]/,
  process: /\bprocess\s*\./,
  promises: /\bawait\b|\basync\s*(?:function|\(|[\w$]+\s*=>)|\bPromise\b/,
}

/** @returns the forbidden names in this code */
const saidBy = (code: string) => Object.keys(forbidden).filter(name => forbidden[name]?.test(code))

async function coreBuilt(): Promise<string> {
  const built = await build({
    root,
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      target: 'es2022',
      minify: true,
      lib: {
        entry: ['core/core.ts', 'deciders/index.ts'].map(name => join(root, 'src/worker', name)),
        formats: ['es'],
      },
    },
  })
  const outputs = (Array.isArray(built) ? built : [built]) as Rolldown.RolldownOutput[]
  const code = outputs.flatMap(({ output }) => output.map(chunk => ('code' in chunk ? chunk.code : ''))).join('\n')
  // The bundler writes file names as comments
  return code.replace(/^\/\/.*$/gm, '')
}

describe('the built core and its deciders', () => {
  test('name nothing impure', async () => {
    const code = await coreBuilt()
    expect(code.includes('order.place')).toBe(true)
    expect(saidBy(code)).toEqual([])
  })

  test('are found out by a planted name', () => {
    expect(saidBy('const at=Date.now(),id=Math.random();a.localeCompare(b);setTimeout(x,1)')).toEqual([
      'Date',
      'Math.random',
      'setTimeout',
      'localeCompare',
    ])
    expect(saidBy('async()=>{await fetch("x")}')).toEqual(['fetch', 'promises'])
    expect(saidBy('const updated={async:!1};awaitsAnswer(updatedAt)')).toEqual([])
  })
})

describe('the source of the worker and of the page’s drivers', () => {
  const codeIn = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
      .filter(name => name.endsWith('.ts'))
      .map(name => [`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8')] as const)

  test('has no chance but the core’s seeded one, and keys from crypto', () => {
    const files = ['src/worker', 'src/main/drivers', 'src/runtime'].flatMap(codeIn)
    expect(files.some(([name]) => name.endsWith('solana/sale/ledger.ts'))).toBe(true)
    expect(files.filter(([, code]) => forbidden['Math.random']?.test(code)).map(([name]) => name)).toEqual([])
  })
})

/** Runs a synchronous task while everything impure throws. */
function sealed<T>(task: () => T): T {
  const owners: [object, string][] = [
    [Math, 'random'],
    [String.prototype, 'localeCompare'],
    ...[
      'Date',
      'crypto',
      'fetch',
      'setTimeout',
      'setInterval',
      'setImmediate',
      'WebSocket',
      'indexedDB',
      'queueMicrotask',
      'performance',
      'navigator',
      'Intl',
    ].map((name): [object, string] => [globalThis, name]),
  ]
  const before = owners.map(([owner, name]) => Object.getOwnPropertyDescriptor(owner, name))
  const refuse = (name: string) =>
    function refused() {
      throw new Fault('unknown', `the core used ${name}`)
    }
  for (const [owner, name] of owners) {
    const thrower = new Proxy(refuse(name), { get: refuse(name), construct: refuse(name) })
    Object.defineProperty(owner, name, { configurable: true, writable: true, value: thrower })
  }
  try {
    return task()
  } finally {
    owners.forEach(([owner, name], index) => {
      const was = before[index]
      if (was) Object.defineProperty(owner, name, was)
      else delete (owner as Record<string, unknown>)[name]
    })
  }
}

describe('without clock, chance and I/O', () => {
  test('a log is the same as before', () => {
    const records = parsed(connectedLog())
    expect(sealed(() => reexecute(records, deciders))).toMatchObject({ ok: true })
  })

  test('every committed recording is the same', async () => {
    const folder = join(root, 'tests/replay/recordings')
    const names = existsSync(folder) ? readdirSync(folder).filter(name => name.endsWith('.jsonl')) : []
    for (const name of names) {
      const { records } = await readRecordingFile(new Blob([readFileSync(join(folder, name))]))
      expect(
        sealed(() => reexecute(records, deciders)),
        name,
      ).toMatchObject({ ok: true })
    }
  })

  test.each([
    ['the clock', () => void Date.now()],
    ['a new Date', () => void new Date()],
    ['chance', () => void Math.random()],
    ['a key', () => void crypto.randomUUID()],
    ['a timer', () => clearTimeout(setTimeout(() => undefined))],
    ['the language', () => void 'a'.localeCompare('b')],
  ])('a decider that reads %s is found out', (_name, read) => {
    const impure = [{ 'page.resumed': read }]
    const log = createLog(impure)
    log.input(boot(1))
    log.input({ type: 'page.resumed', data: {} })
    const records = parsed(log.lines)
    expect(reexecute(records, impure)).toMatchObject({ ok: true })
    expect(sealed(() => reexecute(records, impure))).toMatchObject({
      ok: false,
      difference: { actual: expect.stringContaining('the core used') },
    })
  })
})
