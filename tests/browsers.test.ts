/** The first versions of docs/browsers.md hold: the source uses newer features only where they may be absent. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '..')
const page = readFileSync(join(root, 'docs/browsers.md'), 'utf8')

type Engine = 'chrome' | 'firefox' | 'safari'
type Versions = Record<Engine, number>
const never = Number.POSITIVE_INFINITY

type Feature = {
  name: string
  use: RegExp
  /** Chrome, Firefox, Safari */
  first: [number, number, number]
  /** stands in each file that uses it; `harmless`: engines skip what they do not know, and nothing depends on it */
  guard?: RegExp | 'harmless'
}

const features: Feature[] = [
  { name: '`light-dark()`', use: /light-dark\(/, first: [123, 120, 17.5] },
  { name: '`:has()`', use: /:has\(/, first: [105, 121, 15.4] },
  { name: 'nested rules', use: /^\s+&/m, first: [120, 117, 17.2] },
  { name: '`:dir()`', use: /:dir\(/, first: [120, 49, 16.4] },
  { name: '`color-mix()`', use: /color-mix\(/, first: [111, 113, 16.2] },
  { name: 'container queries', use: /@container/, first: [105, 110, 16] },
  {
    name: 'relative colours',
    use: /(?:oklch|oklab|rgb|hsl|color)\(from/,
    first: [119, 128, 16.4],
    guard: /@supports not \(color: oklch\(from/,
  },
  {
    name: 'popovers',
    use: /:popover-open/,
    first: [114, 125, 17],
    guard: /@supports not selector\(:popover-open\)|catch/,
  },
  {
    name: 'popovers',
    use: /(?:show|hide|toggle)Popover/,
    first: [114, 125, 17],
    guard: /(?:show|hide|toggle)Popover\?\./,
  },
  { name: '`@starting-style`', use: /@starting-style/, first: [117, 129, 17.5], guard: 'harmless' },
  { name: 'discrete transitions', use: /allow-discrete/, first: [117, 129, 17.4] },
  { name: '`text-wrap: balance`', use: /text-wrap: balance/, first: [114, 121, 17.5] },
  { name: '`text-wrap: pretty`', use: /text-wrap: pretty/, first: [117, never, 26], guard: 'harmless' },
  { name: '`scrollbar-width`', use: /scrollbar-width/, first: [121, 64, 18.2], guard: 'harmless' },
  { name: '`@property`', use: /@property/, first: [85, 128, 16.4] },
  { name: '`@scope`', use: /@scope/, first: [118, 146, 17.4] },
  { name: 'anchors', use: /anchor-name|position-anchor|anchor\(/, first: [125, 147, 26] },
  { name: '`interpolate-size`', use: /interpolate-size|calc-size\(/, first: [129, never, never] },
  { name: '`field-sizing`', use: /field-sizing/, first: [123, never, 26.2] },
  { name: '`text-box`', use: /text-box/, first: [133, never, 18.2] },
  { name: 'scroll timelines', use: /animation-timeline/, first: [115, never, 26] },
  { name: 'view transitions', use: /startViewTransition|view-transition-name/, first: [111, 144, 18] },

  { name: '`checkVisibility`', use: /checkVisibility/, first: [106, 106, 17.4] },
  {
    name: '`requestIdleCallback`',
    use: /requestIdleCallback\(/,
    first: [47, 55, never],
    guard: /typeof requestIdleCallback === 'function'/,
  },
  { name: 'Trusted Types', use: /\.createPolicy\(/, first: [83, 148, 26], guard: /trustedTypes\?:/ },
  { name: '`moveBefore`', use: /\.moveBefore\(/, first: [133, 144, never] },
  { name: '`scheduler`', use: /\bscheduler\.(?:yield|postTask)/, first: [129, 142, never] },
  { name: '`URL.canParse`', use: /URL\.canParse/, first: [120, 115, 17] },
  { name: '`URL.parse`', use: /\bURL\.parse\(/, first: [126, 126, 18] },
  { name: '`AbortSignal.timeout`', use: /AbortSignal\.timeout/, first: [103, 100, 16] },
  { name: '`AbortSignal.any`', use: /AbortSignal\.any/, first: [116, 124, 17.4] },
  { name: 'streams of gzip', use: /CompressionStream\(/i, first: [80, 113, 16.4] },
  { name: 'copies of lists', use: /\.(?:toSorted|toReversed|toSpliced)\(/, first: [110, 115, 16] },
  { name: '`groupBy`', use: /\b(?:Object|Map)\.groupBy/, first: [117, 119, 17.4] },
  { name: '`Promise.withResolvers`', use: /Promise\.withResolvers/, first: [119, 121, 17.4] },
  { name: '`Promise.try`', use: /Promise\.try/, first: [128, 134, 18.2] },
  { name: '`Array.fromAsync`', use: /Array\.fromAsync/, first: [121, 115, 16.4] },
  {
    name: 'sets’ own algebra',
    use: /\.(?:isSubsetOf|isSupersetOf|isDisjointFrom|symmetricDifference)\(/,
    first: [122, 127, 17],
  },
  {
    name: 'iterator helpers',
    use: /\.(?:values|keys|entries)\(\)\s*\.(?:map|filter|find|some|every|toArray|take|drop|flatMap|reduce|forEach)\(/,
    first: [122, 131, 18.4],
  },
  { name: 'bytes’ own base64', use: /Uint8Array\.from(?:Base64|Hex)\(/, first: [140, 133, 18.2] },
  { name: '`RegExp.escape`', use: /RegExp\.escape/, first: [136, 134, 18.2] },
  { name: '`Intl.Segmenter`', use: /Intl\.Segmenter/, first: [87, 125, 14.1] },
  { name: '`Intl.DurationFormat`', use: /Intl\.DurationFormat/, first: [129, 136, 16.4] },
  { name: '`using`', use: /^\s*(?:await )?using \w+ =/m, first: [134, 141, never] },
]

/** @returns the documented first versions */
function documented(): Versions {
  const of = (row: string) => Number(new RegExp(`^\\| ${row}[^|]*\\| ([\\d.]+) \\|`, 'm').exec(page)?.[1])
  return { chrome: of('Chrome'), firefox: of('Firefox'), safari: of('Safari') }
}

/** @returns each use of a feature that an engine of these versions may lack, without a guard or its line in the documentation */
function unguarded(files: ReadonlyMap<string, string>, versions: Versions): string[] {
  const told = page.slice(page.indexOf('Newer features'), page.indexOf('## Circumstances'))
  return features.flatMap(({ name, use, first: [chrome, firefox, safari], guard }) => {
    if (chrome <= versions.chrome && firefox <= versions.firefox && safari <= versions.safari) return []
    return [...files].flatMap(([path, text]) => {
      if (!use.test(text)) return []
      if (!guard || (guard !== 'harmless' && !guard.test(text))) return [`${path}: ${name} without a guard`]
      return told.includes(name) ? [] : [`docs/browsers.md: does not tell of ${name}`]
    })
  })
}

/** Without comments, which name features, too. */
function sources(): Map<string, string> {
  const files = readdirSync(join(root, 'src'), { withFileTypes: true, recursive: true })
    .filter(entry => entry.isFile() && /\.(?:tsx?|css|js)$/.test(entry.name))
    .map(entry => join(entry.parentPath, entry.name))
  return new Map(
    files.map(path => [
      relative(root, path).replaceAll('\\', '/'),
      readFileSync(path, 'utf8').replace(/\/\*[\s\S]*?\*\//g, ''),
    ]),
  )
}

describe('the first versions', () => {
  test('are those for which the build writes its styles', () => {
    const { chrome, firefox, safari } = documented()
    expect(readFileSync(join(root, 'vite.config.ts'), 'utf8')).toContain(
      `cssTarget: ['chrome${chrome}', 'firefox${firefox}', 'safari${safari}']`,
    )
  })

  test('have every feature that the source uses without a guard', () => {
    expect(unguarded(sources(), documented())).toEqual([])
  })

  test.each([
    ['a.css', '.a:has(b) {}', { firefox: 120 }, ['a.css: `:has()` without a guard']],
    ['a.css', '.a:has(b) {}', {}, []],
    ['a.css', ':popover-open {}', {}, ['a.css: popovers without a guard']],
    ['a.css', '@supports not selector(:popover-open) {}', {}, []],
    ['a.ts', 'box.showPopover?.()', {}, []],
    ['a.ts', 'box.showPopover()', {}, ['a.ts: popovers without a guard']],
    ['a.ts', 'map.values().map(one)', {}, ['a.ts: iterator helpers without a guard']],
  ])('of %s with %s and %j: %j', (path, text, less, problems) => {
    expect(unguarded(new Map([[path, text]]), { ...documented(), ...less })).toEqual(problems)
  })
})
