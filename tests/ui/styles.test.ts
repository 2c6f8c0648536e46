/** Style sheets of the interface: each named for its component, imported by an entry, and in use. */
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join, posix, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { classesOfSheet, classesOfSource, importsOfSheet } from './styles.ts'

const root = join(import.meta.dirname, '../../src/ui')
const main = join(root, '../main')

function filesIn(ending: string, folder = root): [path: string, text: string][] {
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && entry.name.endsWith(ending))
    .map(entry => join(entry.parentPath, entry.name))
    .map(path => [relative(folder, path).replaceAll('\\', '/'), readFileSync(path, 'utf8')])
}

const all = filesIn('.css')
const modules = new Map([...filesIn('.ts'), ...filesIn('.tsx')])
const entries = all.filter(([path]) => path.startsWith('styles/'))
const sheets = all.filter(([path]) => !path.startsWith('styles/'))
const prefixOf = (path: string) => basename(path, '.css')
const isNamedBy = (name: string, prefix: string) => name === prefix || name.startsWith(`${prefix}-`)
const featureOf = (path: string) => path.split('/')[0]

/** Class suffixes that a component appends, by its source. */
const joined: Record<string, string> = {
  'kit/identity/Logo.tsx':
    'is-tint-1 is-tint-2 is-tint-3 is-tint-4 is-tint-5 is-tint-6 is-ink is-own is-small is-large',
  'kit/feedback/Note.tsx': 'is-warn is-bad is-good',
  'kit/figures/Ring.tsx': 'is-warn is-bad is-good',
  'kit/feedback/Skeleton.tsx': 'skeleton-40 skeleton-64 skeleton-96 skeleton-140 skeleton-200',
  'kit/identity/Swatch.tsx': 'is-hatch is-open',
  'kit/feedback/Tag.tsx': 'is-good is-warn is-bad is-accent',
  'kit/controls/Button.tsx': 'is-primary is-outline is-big is-small',
  'kit/surface/Sheet.tsx': 'sheet-title-next sheet-title-previous sheet-view-next sheet-view-previous',
  'presale/buy/order/OrderCard.tsx': 'is-done is-now is-next',
  'presale/sale/Status.tsx': 'is-accent is-warn is-bad is-ink',
  'presale/sale/about/Tokenomics.tsx': 'tokenomics-1 tokenomics-2 tokenomics-3 tokenomics-4 tokenomics-5 tokenomics-6',
  'replayer/panes/compare/Cause.tsx': 'is-fact is-effect',
  'replayer/panes/compare/FirstDifference.tsx': 'difference-old difference-new',
  'replayer/panes/model/ModelTree.tsx':
    'is-depth-1 is-depth-2 is-depth-3 is-depth-4 is-depth-5 is-added is-removed is-changed',
}

const classesOf = (files: typeof sheets) => files.flatMap(([, text]) => classesOfSheet(text).map(({ name }) => name))
const namesIn = (path: string) => [...classesOfSource(modules.get(path) ?? ''), ...(joined[path]?.split(' ') ?? [])]
const declared = new Set(classesOf(sheets))
/** The document around the page. */
const page = readFileSync(join(main, 'index.html'), 'utf8')
const inPage = [...page.matchAll(/ class="([^"]+)"/g)].flatMap(([, names = '']) => names.split(' '))
const named = new Set([...inPage, ...[...modules.keys(), ...Object.keys(joined)].flatMap(namesIn)])

test('class suffixes are listed by components that exist', () => {
  expect(Object.keys(joined).filter(path => !modules.has(path))).toEqual([])
})

describe('style sheets', () => {
  test('are each imported by an entry', () => {
    const reached = new Set(entries.flatMap(([path, text]) => importsOfSheet(path, text)))
    expect(sheets.map(([path]) => path).filter(path => !reached.has(path))).toEqual([])
    expect([...reached].filter(path => !sheets.some(([sheet]) => sheet === path))).toEqual([])
  })

  test('of the kit and the modal cover all classes of an embed', () => {
    const own = entries.filter(([path]) => /kit|modal/.test(path)).flatMap(([path, text]) => importsOfSheet(path, text))
    const has = new Set(classesOf(sheets.filter(([path]) => own.includes(path))))
    const reached = [...reachedFrom('modal/ModalView.tsx', 'signin/SignIn.tsx', 'signin/Notice.tsx')]
    expect(reached).toContain('account/networks/NetworkChip.tsx')
    const missing = reached.flatMap(path =>
      namesIn(path)
        .filter(name => !has.has(name))
        .map(name => `${path}: ${name}`),
    )
    expect(missing).toEqual([])
  })

  test('are imported by pages and their lazy parts only; an embed takes the text alone', () => {
    const pages = [...filesIn('.tsx', main), ...filesIn('entry.ts', main)]
    const files = [...modules, ...pages.map(([path, text]) => [`main/${path}`, text] as const)]
    const matching = (pattern: RegExp) => files.filter(([, text]) => pattern.test(text)).map(([path]) => path)
    expect(matching(/^import '.*\.css'/m).sort()).toEqual([
      'main/entry.ts',
      'main/replayer.tsx',
      'modal/Modal.tsx',
      'presale/SaleBody.tsx',
      'presale/buy/invoice/InvoiceBody.tsx',
    ])
    expect(matching(/\/Modal\.tsx'/)).toEqual(['modal/ModalHost.tsx'])
  })

  test('have a class of their sheet in each rule, and otherwise only neighbours’ or the kit’s', () => {
    const strange = sheets.flatMap(([path, text]) => foreignIn(path, text).map(told => `${path}: ${told}`))
    expect(strange).toEqual([])
  })

  test('need no !important', () => {
    expect(all.filter(([, text]) => text.includes('!important')).map(([path]) => path)).toEqual([])
  })

  test('declare no unused class', () => {
    expect([...declared].filter(name => !named.has(name))).toEqual([])
  })

  test('use every token', () => {
    const tokens = all.flatMap(([, text]) => [...text.matchAll(/^\s+(--[\w-]+):/gm)].map(([, name = '']) => name))
    const used = new Set(all.flatMap(([, text]) => text.match(/(?<=\bvar\()--[\w-]+/g) ?? []))
    expect(tokens).toContain('--s-2')
    expect(tokens.filter(name => !used.has(name))).toEqual([])
  })

  test('declare every class that a source names', () => {
    expect([...named].filter(name => !declared.has(name))).toEqual([])
  })

  test('declare every class that a source queries', () => {
    const looking = /\b(?:closest|matches|querySelector(?:All)?)\('([^']*)'\)/g
    const sought = [...modules].flatMap(([path, text]) =>
      [...text.matchAll(looking)].flatMap(([, selector = '']) =>
        classesOfSheet(`${selector}{}`).map(({ name }) => `${path}: ${name}`),
      ),
    )
    expect(sought).toContain('replayer/panes/compare/Cause.tsx: is-on')
    expect(sought.filter(one => !declared.has(one.split(': ')[1] ?? ''))).toEqual([])
  })
})

/** Selectors that begin with a state, name no class of their sheet, or name a class of another feature. */
function foreignIn(path: string, text: string): string[] {
  const selectors = [...new Set(classesOfSheet(text).map(({ selector }) => selector))]
  return selectors.filter(selector => {
    const names = classesOfSheet(`${selector}{}`).map(({ name }) => name)
    const others = names.filter(name => !name.startsWith('is-') && !isNamedBy(name, prefixOf(path)))
    const hasOwn = names.some(name => isNamedBy(name, prefixOf(path)))
    return !hasOwn || selector.startsWith('.is-') || !others.every(name => mayName(path, name))
  })
}

function mayName(path: string, name: string): boolean {
  const owners = sheets.map(([sheet]) => sheet).filter(sheet => isNamedBy(name, prefixOf(sheet)))
  return name === 'glyph' || owners.some(owner => owner.startsWith('kit/') || featureOf(owner) === featureOf(path))
}

/** These modules, and all modules of the interface that they import, statically or dynamically. */
function reachedFrom(...starts: string[]): Set<string> {
  const reached = new Set(starts)
  for (const path of reached) {
    for (const [, to = ''] of (modules.get(path) ?? '').matchAll(/(?:from |import\()'(\.[^']+)'/g)) {
      const target = posix.join(posix.dirname(path), to)
      if (modules.has(target)) reached.add(target)
    }
  }
  return reached
}

describe('the parser of sheets and sources', () => {
  test('finds the classes of every selector, also in a media query, and none in a number', () => {
    const sheet = '@media (x) { .a.is-b > .c:not(.d), .e { margin: .5em } } /* .f {} */'
    expect(classesOfSheet(sheet).map(({ name }) => name)).toEqual(['a', 'is-b', 'c', 'd', 'e'])
  })

  test('finds texts used as classes, and none that is only compared', () => {
    const source = `<p className="a b" title="x"><i className={on === 'y' ? 'c' : 'd'} />{classes('e', f && 'is-g')}`
    expect(classesOfSource(source)).toEqual(['a', 'b', 'c', 'd', 'e', 'is-g'])
  })

  test('finds a rule without a class of its sheet, and one with another feature’s class', () => {
    expect(foreignIn('kit/row.css', '.row .row-end {} .button {} .row .dock {} .is-on .row {}')).toEqual([
      '.button',
      '.row .dock',
      '.is-on .row',
    ])
  })
})
