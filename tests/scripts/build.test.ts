import { createHash } from 'node:crypto'
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterEach, describe, expect, test } from 'vitest'
import { productionAddresses } from '../../scripts/addresses.ts'
import { type Budget, type Chunk, type Graph, measure } from '../../scripts/budget.ts'
import { gateFindings } from '../../scripts/gates.ts'
import { stamped } from '../../scripts/integrity.ts'
import { unlisted } from '../../scripts/listed.ts'
import { workerEntries } from '../../scripts/workerEntries.ts'
import { everyCase } from '../everyCase.ts'
import { differences } from '../../scripts/reproducible.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
})

function folderWith(files: Record<string, string>): string {
  const folder = mkdtempSync(join(tmpdir(), 'mai-gates-'))
  folders.push(folder)
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), content)
  }
  return folder
}

describe('the gates', () => {
  const gate = (files: Record<string, string>) => gateFindings(folderWith(files), productionAddresses)

  test.each([
    ['an uncompiled worker', { 'assets/worker-1.ts': '' }, 'assets/worker-1.ts is an uncompiled source'],
    ['a source map', { 'a.js.map': '{}' }, 'a.js.map is a source map'],
    ['a source map comment', { 'a.js': '//# sourceMappingURL=a.js.map' }, 'a.js contains a source map comment'],
    ['an address of this machine', { 'a.js': 'fetch("http://localhost:8899")' }, 'an address of this machine'],
    ['a socket of this machine', { 'a.js': 'new WebSocket("ws://localhost:8870")' }, 'an address of this machine'],
    ['the installed wallet', { 'a.js': '"/@stack/installed-wallet.js"' }, 'the installed wallet'],
    ['the door for tests', { 'a.js': '{clockOffsetMs:1}' }, 'a.js contains the door for tests'],
    ['a list of parts that was forgotten', { 'a.js': "JSON.parse('@@parts@@')" }, 'a.js contains no list of its parts'],
    ['an inline script', { 'a.html': '<script integrity="sha384-x">1</script>' }, 'a.html has an inline script'],
    ['an inline style', { 'a.html': '<p style="color:red">' }, 'a.html has an inline style'],
    ['an inline handler', { 'a.html': '<p onclick="x()">' }, 'a.html has an inline event handler'],
    ['a script without its hash', { 'a.html': '<script src="./a.js"></script>' }, 'a.html has a tag without its hash'],
    ['a socket in the replayer', { 'replayer/a.js': 'new WebSocket(x)' }, 'replayer/a.js contains a socket'],
    ['a call from the replayer', { 'replayer/a.js': 'fetch(x)' }, 'replayer/a.js contains a call'],
    ['a storage in the replayer', { 'replayer/a.js': 'indexedDB.open(x)' }, 'replayer/a.js contains a storage'],
    ['a wallet in the replayer', { 'replayer/a.js': '"wallet-standard:app-ready"' }, 'a driver of the page'],
    ['the core’s worker in the replayer', { 'replayer/a.js': '{name:"mai-core"}' }, 'the core’s worker'],
    ['a page’s script in the replayer', { 'replayer.html': '<script src="./assets/a.js">' }, "not the replayer's own"],
    ['a replayer that may connect', { 'replayer.html': '<p>' }, 'replayer.html may connect to somebody'],
  ])('stop %s', (_name, files, finding) => {
    expect(gate(files).join('\n')).toContain(finding)
  })

  const starts = { 'assets/page.js': 'var w=new URL(`worker-1.js`,import.meta.url).href' }
  test.each([
    'import{a as b}from"./worker-1.js"',
    "import './worker-1.js'",
    'import`./worker-1.js`',
    'export*from"./worker-1.js"',
    "const part=()=>import('./worker-1.js')",
    'const part=()=>import( `./worker-1.js` )',
    'import"../assets/worker-1.js?v=1"',
  ])('stop %s where that is the entry of a worker', line => {
    const files = { ...starts, 'assets/worker-1.js': 'import"./core-1.js"', 'assets/later-1.js': line }
    const words = "assets/later-1.js imports assets/worker-1.js, a worker's entry: WebKit would run that worker twice"
    expect(gate(files)).toEqual([words])
  })

  test.each([
    ['a stub whose file imports another', { 'assets/core-1.js': 'import"./deep-1.js";run()' }, 'assets/core-1.js'],
    [
      'an entry with code beside its imports',
      { 'assets/worker-1.js': 'import"./core-1.js";run()' },
      'assets/worker-1.js',
    ],
    ['an entry that takes names', { 'assets/worker-1.js': 'import{a}from"./core-1.js"' }, 'assets/worker-1.js'],
  ])('stop a worker that begins with %s', (_name, files, file) => {
    const stub = { 'assets/worker-1.js': 'import"./core-1.js";', 'assets/core-1.js': 'run()' }
    const words = `${file} imports more at its start than a page compares: that would run unchecked`
    expect(gate({ ...starts, ...stub, 'assets/deep-1.js': '', ...files })).toEqual([words])
  })

  test('accept a worker whose entry is imported by no file', () => {
    const files = { ...starts, 'assets/worker-1.js': 'import"./core-1.js"', 'assets/later-1.js': 'import"./core-1.js"' }
    const folder = folderWith(files)
    expect(gateFindings(folder, productionAddresses)).toEqual([])
    expect(workerEntries(folder)).toEqual([join(folder, 'assets/worker-1.js')])
  })

  test('accept a configured address of this machine', () => {
    const addresses = { ...productionAddresses, VITE_SOLANA_RPC_URL: 'http://127.0.0.1:8899' }
    const folder = folderWith({ 'a.js': 'fetch("http://127.0.0.1:8899")' })
    expect(gateFindings(folder, addresses)).toEqual([])
  })

  test('read a hash whole that holds the letters of an id', () => {
    const hash = `sha384-${'x'.repeat(30)}mai${'x'.repeat(31)}`
    const folder = folderWith({ 'a.html': `<script src="./a.js" integrity="${hash}"></script>` })
    const ids = { VITE_SALE_ID: 'mai', VITE_PROJECT_ID: 'x'.repeat(30) }
    expect(gateFindings(folder, { ...productionAddresses, ...ids })).toEqual([])
  })
})

describe('a build without the sale it is for', () => {
  const build = promisify(execFile)
  const run = (settings: Record<string, string>, folder: string) =>
    build(process.execPath, ['--import', 'tsx', 'scripts/build.ts', '--out', folder], {
      cwd: join(import.meta.dirname, '../..'),
      env: { ...process.env, VITE_SALE_AUTHORITY: '', VITE_SALE_ID: '', ...settings },
    })

  const cases: [name: string, settings: Record<string, string>, sentence: string][] = [
    ['neither is set', {}, 'VITE_SALE_AUTHORITY and VITE_SALE_ID expected'],
    [
      'the id is missing',
      { VITE_SALE_AUTHORITY: '6NHBtZjnVhcsp6P4USe7icFZVBtxHsjTLbAWDutvcad3' },
      'VITE_SALE_ID expected',
    ],
    [
      'the authority is no key',
      { VITE_SALE_AUTHORITY: 'me', VITE_SALE_ID: 'mai' },
      'VITE_SALE_AUTHORITY expected base58',
    ],
  ]
  test.each(everyCase ? cases : cases.slice(1, 2))(
    'fails in one sentence when %s, and builds nothing',
    async (_name, settings, sentence) => {
      const folder = join(folderWith({}), 'site')
      await expect(run(settings, folder)).rejects.toMatchObject({
        code: 1,
        stderr: expect.stringContaining(sentence),
      })
      expect(existsSync(folder)).toBe(false)
    },
  )
})

describe('integrity', () => {
  test('every script, preload and stylesheet carries the hash of its bytes, other tags stay as they are', () => {
    const html =
      '<link rel="icon" href="./i.svg"><script type="module" crossorigin src="./a.js"></script><link rel="stylesheet" href="./b.css">'
    const hash = (text: string, by = 'sha384') => createHash(by).update(text).digest('base64')
    expect(stamped(html, url => `content of ${url}`)).toBe(
      '<link rel="icon" href="./i.svg">' +
        `<script type="module" crossorigin src="./a.js" integrity="sha384-${hash('content of ./a.js')}"></script>` +
        `<link rel="stylesheet" href="./b.css" integrity="sha384-${hash('content of ./b.css')}">`,
    )
    // As the import map has it: a module takes no other
    const early = '<link rel="preload" as="script" href="./c.js">'
    expect(stamped(early, () => 'c')).toBe(early.replace('>', ` integrity="sha256-${hash('c', 'sha256')}">`))
  })
})

describe('a build with one altered byte', () => {
  const hash = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`
  const parts = JSON.stringify({ 'late-1.js': [hash('late')] })
  const files = {
    'index.html': ['entry', 'style', 'core', 'font', 'wasm'].map(hash).join(),
    'assets/index.js': 'entry',
    'assets/index.css': 'style',
    'assets/core-1.js': 'core',
    'assets/late-1.js': 'late',
    'assets/font-1.woff2': 'font',
    'assets/code-1.wasm': 'wasm',
    'embed/embed.js': 'embed',
    'embed/tag.txt': hash('embed'),
  }
  const core = `core ${hash(parts)}`
  const whole = {
    ...files,
    'index.html': `${files['index.html']} ${hash(core)}`,
    'assets/core-1.js': core,
    'assets/parts-1.json': parts,
  }

  test('has no unlisted file without an alteration', () => {
    expect(unlisted(folderWith(whole))).toEqual([])
  })

  test.each(Object.keys(whole).filter(name => !/html$|txt$/.test(name)))('has the unlisted file %s', name => {
    const altered = { ...whole, [name]: `${whole[name as keyof typeof whole]} ` }
    expect(unlisted(folderWith(altered))).toContain(`${name} could be altered: its hash stands in no other file`)
  })
})

describe('the comparison of two builds', () => {
  test('names the different files and those in only one of them', () => {
    const one = folderWith({ 'same.js': '1', 'changed.js': '1', 'gone.js': '1' })
    const other = folderWith({ 'same.js': '1', 'changed.js': '2', 'new.js': '1' })
    expect(differences(one, other)).toEqual(['changed.js', 'gone.js', 'new.js'])
  })
})

describe('the budget', () => {
  const chunk = (fileName: string, more: Partial<Chunk>): Chunk => ({
    fileName,
    imports: [],
    css: [],
    modules: [],
    entryOf: undefined,
    size: 1000,
    ...more,
  })
  const graph: Graph = {
    chunks: new Map(
      [
        chunk('index.js', { entryOf: 'src/main/index.html', imports: ['shared.js'], css: ['index.css'] }),
        chunk('shared.js', { size: 50_000 }),
        chunk('modal.js', { entryOf: 'src/ui/modal/Modal.tsx', imports: ['shared.js', 'qr.js'], css: ['modal.css'] }),
        chunk('qr.js', { size: 4000 }),
        chunk('worker.js', {
          entryOf: 'src/worker/worker.ts',
          modules: ['/x/node_modules/@solana/web3.js/lib/index.js'],
        }),
      ].map(one => [one.fileName, one]),
    ),
    cssSizes: new Map([
      ['index.css', 900],
      ['modal.css', 500],
    ]),
  }
  const page: Budget = { name: 'page', from: 'src/main/index.html', limitKB: 85 }
  const modal: Budget = { name: 'modal', from: 'src/ui/modal/', after: 'page', styles: true, limitKB: 30 }

  test('counts each file of a step once, with its imports, and without earlier steps’ files', () => {
    const [first, second] = measure(graph, [page, modal], { page: 100 })
    expect(first).toMatchObject({ kB: 51.1, problem: undefined })
    expect(second).toMatchObject({ kB: 5.5, problem: undefined, files: ['modal.js', 'qr.js', 'modal.css'] })
  })

  test('fails for a step above its limit', () => {
    const [found] = measure(graph, [{ ...page, limitKB: 51 }], { page: 1 })
    expect(found?.problem).toBeUndefined()
    const [over] = measure(graph, [{ ...page, limitKB: 51 }], { page: 10 })
    expect(over?.problem).toBe('budget “page” allows 51 kB after gzip, the build needs 51.01 kB')
  })

  test('fails for a missing step, and for one with lazy packages', () => {
    expect(measure(graph, [{ ...page, from: 'src/ui/gone/' }])[0]?.problem).toContain('found no chunk')
    const worker: Budget = { name: 'worker', from: 'src/worker/worker.ts', without: ['@solana/web3.js'], limitKB: 60 }
    expect(measure(graph, [worker])[0]?.problem).toContain('must load without @solana/web3.js, which is in worker.js')
  })
})
