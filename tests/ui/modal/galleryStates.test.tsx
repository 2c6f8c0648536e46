// @vitest-environment happy-dom
/** The gallery has every screen of `docs/screens.md`, in each state that stands there, and each end that has words of its own. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { pageFactDefinitions } from '../../../src/events/schema/definitions.ts'
import { standingSend } from '../../../src/events/subjects/order/sends.ts'
import { shownScreen } from '../../../src/events/subjects/page/screenFold.ts'
import { stateOf } from '../../../src/ui/account/send/sendWords.ts'
import { outcomeOf } from '../../../src/ui/connect/outcome.ts'
import { runOutWords, wordsOf } from '../../../src/ui/signin/words.ts'
import { connectArea } from '../../../src/ui/texts/connect/en.ts'
import { sendArea } from '../../../src/ui/texts/send/en.ts'
import { signInArea } from '../../../src/ui/texts/signin/en.ts'
import { resetPage } from '../galleryActs.ts'
import { stage } from '../modalStage.ts'
import { modalStates } from '../modalStates.ts'

const screens = Object.keys(pageFactDefinitions['screen.shown'].fields.screen.variants?.of ?? {})
const document = readFileSync(join(import.meta.dirname, '../../../docs/screens.md'), 'utf8')

/** Every state, staged once. */
const staged = Object.entries(modalStates).map(([name, state]) => {
  const on = stage()
  const beside = state(on)
  resetPage()
  const model = on.store.model()
  return { name, model, beside, screen: beside ? undefined : shownScreen(model)?.name }
})

/** Names of states by the first cell of their row: a screen, or in other words what is beside the modal. */
const told = new Map(
  [...(document.split('## States')[1] ?? '').matchAll(/^\| ([^|`]+) \| (`[^|]+) \|$/gm)].map(
    ([, of = '', states = '']) => [of, [...states.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)],
  ),
)
/** @returns the names, to be compared whatever their order */
const sorted = (names: readonly string[] = []) => [...names].sort()

test.each(screens)('gallery: the states of %s are those of its row in the documentation', name => {
  const shown = staged.filter(({ screen }) => screen === name).map(state => state.name)
  expect(shown.length).toBeGreaterThan(0)
  expect(sorted(told.get(name))).toEqual(sorted(shown))
})

test('gallery: the states beside the modal are those of the other rows', () => {
  const others = [...told].filter(([of]) => !screens.includes(of))
  const beside = staged.filter(state => state.beside).map(({ name }) => name)
  expect(sorted(others.flatMap(([, names]) => names))).toEqual(sorted(beside))
})

test('gallery: each end of an attempt has a state', () => {
  const t = connectArea.english
  const shown = staged.flatMap(({ screen, model: { connection } }) => {
    const { attempt } = connection
    if (attempt.phase !== 'failed' || (screen !== 'ConnectingInstalled' && screen !== 'WalletConnect')) return []
    return [outcomeOf(t, attempt.failure.code, attempt.connector, '*').title]
  })
  const ends = Object.values(t.ended).map(words => words('*')[0])
  expect(ends.filter(title => !shown.includes(title ?? ''))).toEqual([])
})

test('gallery: each state of a sign-in is there', () => {
  const t = signInArea.english
  const shown = staged.flatMap(({ name, beside }) => {
    const { auth, uri } = (beside?.props ?? {}) as Parameters<typeof wordsOf>[1] & { auth?: never; uri?: string }
    if (!name.startsWith('signIn')) return []
    return [(name === 'signInRanOut' ? runOutWords(t) : wordsOf(t, auth, uri !== undefined)).title]
  })
  expect(Object.values(t.states).filter(([title]) => !shown.includes(title ?? ''))).toEqual([])
})

test('gallery: each state of a transfer is there', () => {
  const t = sendArea.english
  const shown = staged.flatMap(({ screen, model }) => {
    const order = screen === 'WalletSendConfirmed' ? standingSend(model) : undefined
    return order ? [stateOf(t, order, 'SOL', 'en').title] : []
  })
  expect(Object.values(t.states).filter(([title]) => !shown.includes(title ?? ''))).toEqual([])
})
