/** The replayer in a real browser: a recording is dropped, and its screens appear. */
import { type Root, createRoot } from 'react-dom/client'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import '../../../src/ui/styles/tokens.css'
import '../../../src/ui/styles/kit.css'
import '../../../src/ui/styles/page.css'
import '../../../src/ui/styles/replayer.css'
import { openRecording } from '../../../src/main/page/redaction/openRecording.ts'
import { App } from '../../../src/ui/App.tsx'
import { Replayer } from '../../../src/ui/replayer/Replayer.tsx'
import { boot, connectedLog, createLog, header, recordingOf } from '../../events/recordedLog.ts'
import { soon } from '../../soon.ts'

const lines = connectedLog()
const headerLine = JSON.stringify(header)
const madeAt = lines.findIndex(line => line.includes('"type":"connection.made"'))

let root: Root | undefined
beforeAll(() => page.viewport(1280, 860))
afterEach(() => {
  root?.unmount()
  document.body.replaceChildren()
  history.replaceState(history.state, '', location.pathname + location.search)
})

/** Texts that the replayer copied. */
const copied: string[] = []

function open(sample?: () => Promise<File>) {
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  root.render(
    <Replayer
      open={openRecording}
      coreBuild="now"
      screens={themed => <App themed={themed} />}
      copy={async text => copied.push(text) > 0}
      {...(sample && { sample })}
    />,
  )
}

async function drop(content: BlobPart, name = 'bought.replay.jsonl') {
  const event = (type: string) => {
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File([content], name))
    return new DragEvent(type, { dataTransfer, bubbles: true, cancelable: true })
  }
  // A drop target cancels `dragover`
  await soon(() => expect(document.body.dispatchEvent(event('dragover'))).toBe(false))
  document.body.dispatchEvent(event('drop'))
}

const text = () => document.body.innerText
const inside = () => document.querySelector('iframe')?.contentDocument?.body.innerText ?? ''
const where = () => document.querySelector<HTMLElement>('.timeline-where')?.innerText.replace(/\s+/g, ' ') ?? ''
const press = (key: string, more: KeyboardEventInit = {}) =>
  document.body.dispatchEvent(new KeyboardEvent('keydown', { key, ...more, bubbles: true, cancelable: true }))
const slider = () => document.querySelector('[role=slider]')
const says = (get: () => string, wanted: string | RegExp) => soon(() => expect(get()).toMatch(wanted))

describe('a recording that is dropped', () => {
  test('shows its counts, its verdict, and its last screens', async () => {
    open()
    await says(text, /Drop a recording/)
    await drop(await recordingOf(lines))
    await says(text, /bought\.replay\.jsonl/)
    await says(text, /8 inputs, 6 facts, 5 page facts, .*complete/)
    await says(text, /8 inputs re-run, every byte equal/)
    await says(inside, /9xQe/)
    expect(document.querySelector('iframe')?.width).toBe('1280')
  })

  test('can be stepped through by keys, and shows the state of that time', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    press('Home')
    await says(where, /^Page fact 1 tab t1 00:00\.000/)
    expect(slider()?.getAttribute('aria-valuenow')).toBe('1')
    // The boot with its fact, the page that joins, its two facts, then the command with its fact
    for (let step = 0; step < 6; step++) press('ArrowRight')
    await says(where, /^Page fact 4/)
    await says(inside, /Lantern/)
    expect(inside()).not.toMatch(/9xQe/)
    press('ArrowLeft')
    await says(where, /^Input 3 fact 2/)
    press('ArrowLeft', { shiftKey: true })
    await says(where, /^Input 3 00:/)
    press('End')
    await says(inside, /9xQe/)
    press('[')
    await says(where, /^Input 3 00:/)
    press('.')
    await says(where, /^Input 3 00:/)
  })

  test('gets no press and no focus through its screens, and keeps its keys while the modal is open in them', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(text, /Input 8/)
    press('Home')
    for (let step = 0; step < 5; step++) press('ArrowRight')
    await soon(() =>
      expect(document.querySelector('iframe')?.contentDocument?.querySelector('[role=dialog]')).toBeTruthy(),
    )
    expect(document.activeElement?.tagName).not.toBe('IFRAME')
    press('ArrowRight')
    await says(where, /^Page fact 4/)
    const button = document
      .querySelector('iframe')
      ?.contentDocument?.querySelector<HTMLElement>('[data-testid=modal-close]')
    button?.click()
    press('ArrowRight')
    await says(where, /^Input 4/)
  })

  test('is searched without any change to it', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(text, /Input 8/)
    press('/')
    const field = document.querySelector<HTMLInputElement>('input[type=search]')
    expect(document.activeElement).toBe(field)
    if (field) {
      const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set
      set?.call(field, 'NETWORK.')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    await soon(() => expect(document.querySelectorAll('.entry-list [role=option]')).toHaveLength(2))
    await says(text, /^2$/m)
    // The list assumes rows of exactly this height
    expect(document.querySelector('.entry-list [role=option]')?.getBoundingClientRect().height).toBe(48)
    expect(text()).toMatch(/Input 8/)
  })

  test('with another outcome today shows the first difference', async () => {
    open()
    await drop(await recordingOf(lines.map((line, at) => (at === madeAt ? line.replace('Lantern', 'Lanterm') : line))))
    await says(text, /First difference at input 4/)
    press('d')
    await says(text, /3 inputs before it agree, byte for byte/)
    expect([...document.querySelectorAll('mark')].map(mark => mark.textContent?.trim())).toEqual([
      '"name": "Lanterm"',
      '"name": "Lantern"',
    ])
  })
})

const button = (name: string) => [...document.querySelectorAll('button')].find(one => one.textContent === name)
const choose = (label: string, value: string) => {
  const choice = document.querySelector<HTMLSelectElement>(`select[aria-label="${label}"]`)
  if (!choice) throw new Error(`expected a choice ${label}, got none`)
  choice.value = value
  choice.dispatchEvent(new Event('change', { bubbles: true }))
}

describe('the replayer', () => {
  test('hears its keys wherever the focus is, but in text fields', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    const keyOn = (element: Element | null | undefined, key: string) => {
      if (!(element instanceof HTMLElement)) throw new Error('expected an element to focus')
      element.focus()
      expect(document.activeElement).toBe(element)
      element.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true }))
    }
    keyOn(button('Calls'), 'Home')
    await says(where, /^Page fact 1/)
    keyOn(button('Strict'), 'End')
    await says(where, /^Input 8/)
    keyOn(document.querySelector('select[aria-label=Pace]'), 'Home')
    await says(where, /^Page fact 1/)
    keyOn(document.querySelector('select[aria-label=Pace]'), 'ArrowRight')
    await says(where, /^Input 1/)
    keyOn(document.querySelector('input[type=search]'), 'End')
    expect(where()).toMatch(/^Input 1/)
  })

  test.each(['View', 'Strict'])('keeps its header in one row at 1280 px in the mode %s', async mode => {
    open()
    await drop(await recordingOf(lines), `${'a-recording-with-a-long-name-'.repeat(3)}.replay.jsonl`)
    await says(text, /every byte equal/)
    button(mode)?.click()
    await soon(() => expect(document.querySelector('.panes') === null).toBe(mode === 'Strict'))
    const bar = document.querySelector('.replayer-bar')
    const middles = [...(bar?.children ?? [])].map(child => {
      const { top, bottom } = child.getBoundingClientRect()
      return Math.round((top + bottom) / 2)
    })
    expect(Math.max(...middles) - Math.min(...middles)).toBeLessThan(4)
    expect(document.documentElement.scrollWidth).toBe(1280)
  })

  test('closes its list of keys when the mode changes', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    const keys = () => document.querySelector('details.keys')
    document.querySelector<HTMLElement>('details.keys summary')?.click()
    await soon(() => expect(keys()?.hasAttribute('open')).toBe(true))
    press('d')
    await says(text, /Every byte equal/)
    expect(keys()?.hasAttribute('open')).toBe(false)
  })

  test('copies the model at the playhead', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    press('Home')
    await says(where, /^Page fact 1/)
    await soon(() => expect(document.querySelector('.panes')?.getAttribute('data-place')).toBe('1'))
    copied.length = 0
    document.querySelector<HTMLElement>('[aria-label="Copy model"]')?.click()
    await soon(() => expect(copied).toHaveLength(1))
    expect(JSON.parse(copied[0] ?? '')).toMatchObject({ core: { life: 0 }, tab: { width: 1280 } })
  })

  test('links to a moment, and opens such a link', async () => {
    location.hash = '#n=4'
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 4 fact 3/)
    press('Home')
    await soon(() => expect(location.hash).toBe('#page=1&tab=t1'))
    location.hash = '#fact=2'
    await says(where, /^Input 3 fact 2/)
    await drop(await recordingOf(lines), 'other.replay.jsonl')
    await says(text, /other\.replay\.jsonl/)
    await says(where, /^Input 8/)
  })

  test('lists one type alone', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    button('All')?.click()
    await soon(() => choose('Type', 'page.online'))
    const rows = () => [...document.querySelectorAll('.entry-list [role=option] .chain-type')]
    await soon(() => expect(rows().map(row => row.textContent)).toEqual(['page.online', 'page.online']))
    choose('Type', '')
    await soon(() => expect(rows().length).toBeGreaterThan(10))
  })

  test('lists calls with status and duration, and goes to one', async () => {
    const log = createLog()
    const { 'chain.identify': asked = '', 'chain.readTerms': terms = '' } = log.input(boot(1))
    log.input({ type: 'chain.identified', data: { genesisHash: 'g', caip2: 'solana:g' }, to: asked })
    log.input({
      type: 'effect.failed',
      data: { failure: { code: 'unreachable', message: 'the RPC could not be reached' } },
      to: terms,
    })
    open()
    await drop(await recordingOf(log.lines))
    await says(where, /^Input 3/)
    button('Calls')?.click()
    const rows = () => [...document.querySelectorAll('ol[aria-label=Calls] li')].map(row => row.textContent)
    await soon(() => expect(rows()).toContain('RPCchain.identify1.0 schain.identified'))
    expect(rows()).toContain('RPCchain.readTerms2.0 sfailed, effect.failed, unreachable')
    const drawn = [...document.querySelectorAll('.lanes-call.is-failed')].map(call => call.getAttribute('d'))
    expect(drawn).toEqual(['', 'M0 5h2000v12H0z'])
    button('chain.identify')?.click()
    await says(where, /^Input 1/)
  })

  test('watches a part of the model while the playhead moves', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    document.querySelector<HTMLElement>('[aria-label="Watch network"]')?.click()
    const shown = () => document.querySelector<HTMLElement>('.watched')?.innerText.replace(/\s+/g, ' ') ?? ''
    await says(shown, /network .*"online":true/)
    press('Home')
    for (let step = 0; step < 9; step++) press('ArrowRight')
    await says(where, /^Input 5/)
    await says(shown, /network .*"online":false/)
    document.querySelector<HTMLElement>('[aria-label="Stop watching network"]')?.click()
    await soon(() => expect(document.querySelector('.watched')).toBeNull())
  })

  test('shows a second recording beside the first, at the same time or input', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    const at = lines.findIndex(line => line.includes('"type":"page.online"'))
    const input = document.querySelector<HTMLInputElement>('.replayer-bar input[type=file]')
    const files = new DataTransfer()
    files.items.add(new File([await recordingOf(lines.slice(0, at))], 'short.replay.jsonl'))
    if (!input) throw new Error('expected a field for the second file')
    input.files = files.files
    input.dispatchEvent(new Event('change', { bubbles: true }))
    await soon(() => expect([...document.querySelectorAll('iframe')]).toHaveLength(2))
    await says(text, /Model, first to second/)
    const second = () => document.querySelector<HTMLElement>('[aria-label="Second recording"]')?.innerText ?? ''
    await says(second, /page fact 5, screen\.closed/)
    press('Home')
    await says(second, /page fact 1, tab\.opened/)
    choose('Pairing', 'input')
    await says(second, /nothing yet/)
    button('View')?.click()
    await soon(() => expect(document.querySelectorAll('iframe')).toHaveLength(1))
  })

  test('has a sample to try', async () => {
    const sample = await recordingOf(lines)
    open(async () => new File([sample], 'sample.jsonl'))
    await soon(() => expect(button('Try a sample')).toBeTruthy())
    button('Try a sample')?.click()
    await says(text, /sample\.jsonl/)
    await says(text, /every byte equal/)
  })

  test('refuses a table in words', async () => {
    open()
    await drop('Time,Paid\r\n2026-11-23,2.5\r\n', 'purchases.csv')
    await says(text, /Refused\. This is not a recording/)
  })

  test('prints the effects of this build in full where only fingerprints differ', async () => {
    const at = lines.findIndex(line => line.startsWith('{"k":"e"'))
    const changed = lines.map((line, index) =>
      index === at ? line.replace(/"h":"([0-9a-f])/, (_, digit) => `"h":"${digit === '0' ? '1' : '0'}`) : line,
    )
    expect(changed).not.toEqual(lines)
    open()
    await drop(await recordingOf(changed))
    await says(text, /First difference at input 1/)
    press('d')
    await says(text, /a fingerprint of the effects with their data/)
    await says(text, /A recording keeps only the types of its effects and a fingerprint/)
    const effects = document.querySelector('.difference-effects pre')?.textContent ?? ''
    expect(JSON.parse(effects)).toContainEqual(expect.objectContaining({ type: 'chain.identify' }))
  })
})

describe('playing', () => {
  const control = (name: string) => document.querySelector<HTMLElement>(`button[aria-label="${name}"]`)
  const pace = (value: string) => choose('Pace', value)

  test('runs at the chosen pace to the end, and stops there', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    press('Home')
    pace('64')
    press(' ')
    await soon(() => expect(control('Pause')).toBeTruthy())
    await says(where, /^Input 8/)
    await soon(() => expect(control('Play')).toBeTruthy())
    // Playback at the end starts over
    press(' ')
    await says(where, /^(?:Page|Input [1-7])/)
  })

  test('is stopped by the same key, and continues from the new playhead', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(where, /^Input 8/)
    press('Home')
    press(' ')
    await soon(() => expect(control('Pause')).toBeTruthy())
    press('End')
    await says(where, /^Input 8/)
    await soon(() => expect(control('Play')).toBeTruthy())
    press('Home')
    press(' ')
    await soon(() => expect(control('Pause')).toBeTruthy())
    press(' ')
    await soon(() => expect(control('Play')).toBeTruthy())
    expect(where()).not.toMatch(/^Input 8/)
  })
})

test('replayer: the cause of a fact is followed to its command by a press', async () => {
  open()
  await drop(await recordingOf(lines))
  await says(where, /^Input 8/)
  press('Home')
  for (let step = 0; step < 7; step++) press('ArrowRight')
  await says(where, /^Input 4 fact/)
  const link = await soon(() => {
    const found = [...document.querySelectorAll<HTMLElement>('.chain button')]
    const first = found.find(one => one.textContent === 'connection.connectInstalled')
    if (!first) throw new Error('expected the command in the chain')
    return first
  })
  expect(link.closest('li')?.textContent).toContain('command from tab t1, c1')
  link.click()
  await says(where, /^Input 3 00:/)
})

test('replayer: one of several tabs is chosen, and its page is shown', async () => {
  const log = createLog()
  log.input(boot(1))
  for (const [tab, width] of [
    ['t1', 1280],
    ['t2', 390],
  ] as const) {
    log.page('tab.opened', { width, theme: 'light', language: 'en' }, { tab })
    log.page('tab.attached', { life: 1 }, { tab })
  }
  open()
  await drop(await recordingOf(log.lines))
  await soon(() => expect(document.querySelector('iframe')?.width).toBe('390'))
  expect(document.querySelectorAll('.lanes-names span')).toHaveLength(7)
  const choice = document.querySelector<HTMLSelectElement>('select[aria-label="Whose page"]')
  if (!choice) throw new Error('expected a choice of tabs, got none')
  choice.value = 't1'
  choice.dispatchEvent(new Event('change', { bubbles: true }))
  await soon(() => expect(document.querySelector('iframe')?.width).toBe('1280'))
})

test('replayer: markup of strangers is shown as text', async () => {
  const markup = '<img src=x onerror=alert(1)>'
  const log = createLog()
  log.input(boot(1))
  log.page('tab.opened', { width: 1280, theme: 'light', language: markup })
  log.page('tab.attached', { life: 1 })
  log.input({
    type: 'connection.connectInstalled',
    data: { walletKey: markup, wallet: { walletId: markup, name: markup } },
    tab: 't1',
    ref: markup,
  })
  log.page('screen.opened', { screen: { name: 'Connect' } })
  log.page('screen.shown', {
    screen: { name: 'ConnectingInstalled', wallet: { walletId: 'w', name: markup }, walletKey: 'k' },
  })
  open()
  await drop(await recordingOf(log.lines), `${markup}.jsonl`)
  await says(inside, markup)
  press('[')
  await says(text, `command from tab t1, ${markup}`)
  const images = [document, document.querySelector('iframe')?.contentDocument].flatMap(of => [
    ...(of?.querySelectorAll('img[src=x]') ?? []),
  ])
  expect(images).toEqual([])
})

test('replayer: loading a file can be cancelled', async () => {
  let stopped = 0
  const place = document.createElement('div')
  document.body.append(place)
  root = createRoot(place)
  const never = new Promise<never>(() => undefined)
  root.render(
    <Replayer
      open={(_, heard) => {
        heard(41_000, 0.37)
        return { recording: never, verdict: never, stop: () => (stopped += 1) }
      }}
      coreBuild=""
      screens={() => null}
      copy={async () => true}
    />,
  )
  await drop('x', 'long.jsonl')
  await says(text, /Reading long\.jsonl, 41,000 lines, 37%/)
  ;[...document.querySelectorAll('button')].find(one => one.textContent === 'Cancel')?.click()
  await says(text, /Choose a file/)
  expect(stopped).toBe(1)
})

const announced = (p: number) =>
  `{"k":"p","p":${p},"life":1,"after":0,"tab":"t","at":1,"type":"installed.announced","v":1,"data":{"walletKey":"w${p}","name":"x","features":[],"chains":[],"twin":false}}`

describe('a file that is refused', () => {
  test.each([
    ['not a recording', 'hello', /Refused\..*This is not a recording: line 1 expected a header/],
    ['empty', '', /the file is empty/],
    ['broken gzip', new Uint8Array([0x1f, 0x8b, 8, 0, 1, 2, 3]), /it starts like gzip, but cannot be unpacked/],
    [
      'with a line of 10 MB',
      `${headerLine}\n{"k":"i","x":"${'y'.repeat(10_000_000)}"}\n`,
      /Recording, line 2: expected at most/,
    ],
    ['with 10,000 levels', `${headerLine}\n${'['.repeat(10_000)}\n`, /Recording, line 2: expected at most 64 levels/],
    ['of another version', headerLine.replace('"version":2', '"version":3'), /version expected 1 or 2, got 3/],
    [
      'with 5,000 wallets that never go',
      [headerLine, ...Array.from({ length: 5000 }, (_, p) => announced(p)), ''].join('\n'),
      /Recording, line 3\d{3}: expected at most 5000000 steps through long lists/,
    ],
    ['with a hostile key', `${headerLine}\n{"k":"i","__proto__":{}}\n`, /line 2: the line expected no key __proto__/],
    ['over 64 MB', new Uint8Array(64 * 1024 * 1024 + 1), /expected at most 67108864 bytes/],
  ])('(%s) gives the reason, and another one can be dropped', async (_name, content, why) => {
    open()
    await drop(content, 'some.jsonl')
    await says(text, why)
    expect(document.querySelector('[role=alert]')).toBeTruthy()
    await drop(await recordingOf(lines))
    await says(text, /Input 8/)
  })

  test('that was edited names the line, and the earlier one stays open', async () => {
    open()
    await drop(await recordingOf(lines))
    await says(text, /Input 8/)
    await drop((await recordingOf(lines)).replace('Lantern', 'Lanterm'), 'edited.jsonl')
    await says(text, /Refused\. Recording, line \d+: sha256 .* was edited after it was made/)
    expect(text()).toMatch(/bought\.replay\.jsonl/)
  })
})

test('replayer: a truncated gzipped recording is read to its last whole line, with a note', async () => {
  const whole = await recordingOf(lines)
  const cut = new Blob([whole.slice(0, whole.indexOf('{"k":"end"'))])
  const packed = await new Response(cut.stream().pipeThrough(new CompressionStream('gzip'))).blob()
  open()
  await drop(packed, 'cut.jsonl.gz')
  await says(text, `Truncated, still usable. The file has no trailer and is valid to line ${lines.length + 1}.`)
  await says(text, /8 inputs re-run, every byte equal/)
})
