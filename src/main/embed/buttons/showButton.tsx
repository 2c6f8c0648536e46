/**
 * A button of the modal in a host's page, in a shadow root of its own. A part of its own, loaded for the first button.
 *
 * 1. It wears what the modal's element wears: the mode and the variables of the theme, now and later.
 * 2. Removed, it leaves the place as it was.
 */
import { Fault } from '../../../runtime/failure.ts'
import { Boundary } from '../../../ui/Boundary.tsx'
import kit from '../../../ui/styles/kit.css?inline'
import root from '../../../ui/styles/embed.css?inline'
import tokens from '../../../ui/styles/tokens.css?inline'
import type { Page } from '../../page/page.tsx'
import { Direction } from '../Direction.tsx'
import { elementCheck, inNameOf, known, oneOf } from '../config/configChecks.ts'
import type { HostButton } from '../hostModal.ts'
import { sheetsOf } from '../sheetsOf.ts'
import { ButtonOf, type OfModal } from './ButtonOf.tsx'

const elementName = 'mai-button'
const checks = { kind: oneOf('wallet', 'connect', 'account', 'network'), showBalance: oneOf(true, false) }
const sheets = sheetsOf(tokens, kit, root)

type Ports = OfModal & {
  page: Pick<Page, 'draw'>
  /** its element, whose theme the button wears */
  modal: HTMLElement
}

/**
 * @returns a function that removes the button
 * @throws Fault `bad_input` for another place or button, `busy` for a place that shows one
 */
export function showButton({ page, modal, ...of }: Ports, place: HTMLElement, button: HostButton = {}): () => void {
  inNameOf('showButton', () => {
    elementCheck(place, 'place')
    known(button, 'button', checks)
  })
  if (place.querySelector(elementName))
    throw new Fault('busy', 'showButton expected an element without a button, this one shows one: remove that first')
  const { kind = 'wallet', showBalance = true } = button
  const element = document.createElement(elementName)
  const shadow = element.attachShadow({ mode: 'open' })
  shadow.adoptedStyleSheets = sheets
  const drawn = document.createElement('div')
  drawn.className = 'embed'
  shadow.append(drawn)
  const unwear = wear(element, modal)
  page.draw(
    drawn,
    <Boundary instead={() => null}>
      <Direction root={drawn} />
      <ButtonOf of={of} kind={kind} showBalance={showBalance} />
    </Boundary>,
  )
  const before = [...place.childNodes]
  place.replaceChildren(element)
  return () => {
    unwear()
    page.draw(drawn, null)
    if (element.parentNode === place) place.replaceChildren(...before)
  }
}

/** Keeps an element in another's theme. @returns a function that ends it */
function wear(element: HTMLElement, other: HTMLElement): () => void {
  const copy = () => {
    const { theme } = other.dataset
    if (theme === undefined) delete element.dataset.theme
    else element.dataset.theme = theme
    // Through the CSSOM, as a strict policy refuses the attribute
    element.style.cssText = other.style.cssText
  }
  copy()
  const watch = new MutationObserver(copy)
  watch.observe(other, { attributeFilter: ['style', 'data-theme'] })
  return () => watch.disconnect()
}
