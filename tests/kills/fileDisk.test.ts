/** The disk of the Node processes killed by `npm run kills`. The kills here are real: each process is a child process. */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'

const folder = mkdtempSync(join(tmpdir(), 'mai-disk-'))
const file = join(folder, 'disk')
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a program on the disk; it prints `ready` when it may be killed. @returns its output before */
function run(program: string): Promise<string> {
  const source = join(import.meta.dirname, 'fileDisk.ts')
  const code = `
    import { openFileDisk } from ${JSON.stringify(source)}
    import { openDB } from 'idb'
    await openFileDisk(${JSON.stringify(file)})
    const db = await openDB('log', 1, { upgrade: made => { made.createObjectStore('a'); made.createObjectStore('b') } })
    const say = value => process.stdout.write(JSON.stringify(value))
    ${program}
    process.stdout.write('ready')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '--eval', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let said = ''
  child.stdout.on('data', (chunk: Buffer) => {
    said += chunk
    if (said.endsWith('ready')) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (_, signal) =>
      signal === 'SIGKILL' ? resolve(said.slice(0, -'ready'.length)) : reject(new Error(`it ended by itself: ${said}`)),
    )
  })
}

const readAll = `
  const all = {}
  for (const store of ['a', 'b']) all[store] = await Promise.all((await db.getAllKeys(store)).map(async key => [key, await db.get(store, key)]))
  say(all)`

test('file disk: complete transactions survive a kill, incomplete ones leave nothing', async () => {
  await run(`
    const tx = db.transaction(['a', 'b'], 'readwrite', { durability: 'strict' })
    for (let key = 1; key <= 5; key++) void tx.objectStore('a').put(new Uint8Array([key]), key)
    void tx.objectStore('b').put({ n: 1 }, 'head')
    await tx.done
    await db.delete('a', IDBKeyRange.bound(2, 3))
    await db.delete('a', 5)
    const aborted = db.transaction('a', 'readwrite')
    void aborted.store.put('never', 6).catch(() => undefined)
    aborted.done.catch(() => undefined)
    aborted.abort()
    const open = db.transaction('b', 'readwrite')
    void open.store.put({ n: 2 }, 'head')
    process.stdout.write('ready')
    for (;;) { /* nothing can become complete any more */ }`)
  expect(JSON.parse(await run(readAll))).toEqual({
    a: [
      [1, { 0: 1 }],
      [4, { 0: 4 }],
    ],
    b: [['head', { n: 1 }]],
  })

  // A truncated or corrupted write
  const whole = readFileSync(file)
  await run(`await db.put('b', { n: 3 }, 'head')`)
  const longer = readFileSync(file)
  expect(longer.length).toBeGreaterThan(whole.length)
  writeFileSync(file, longer.subarray(0, longer.length - 1))
  expect(JSON.parse(await run(readAll))).toMatchObject({ b: [['head', { n: 1 }]] })
  await run(`await db.put('b', { n: 4 }, 'head')`)
  expect(JSON.parse(await run(readAll))).toMatchObject({ b: [['head', { n: 4 }]] })
}, 60_000)
