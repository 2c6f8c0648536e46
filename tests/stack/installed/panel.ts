/** One question to the person, asked by the page itself. `account` is re-read after a change of account. */
export type Question = { wallet: string; title: string; lines: string[]; account(): string; changeAccount(): void }

/** The person's decision. Without one the promise stays pending for ever. */
export type Verdict = 'approve' | 'decline'

/** The confirm window; one question at a time, the others wait. */
export type Panel = { ask(question: Question): Promise<Verdict> }

const style = `
:host { all: initial; }
dialog { position: fixed; inset: 16px 16px auto auto; margin: 0; width: min(340px, calc(100vw - 32px)); box-sizing: border-box;
  padding: 20px; border: 1px solid light-dark(#e7e7ec, #2b2d30); border-radius: 24px; color-scheme: light dark;
  background: light-dark(#fff, #18191a); color: light-dark(#15161b, #f3f4f6);
  font: 400 14px/1.45 system-ui, sans-serif; box-shadow: 0 32px 80px -24px rgb(0 0 0 / 0.45); }
dialog::backdrop { background: transparent; }
h2 { margin: 0 0 4px; font-size: 16px; font-weight: 600; }
p { margin: 0; color: light-dark(#62656f, #9ca0a9); font-size: 13px; overflow-wrap: anywhere; }
ul { margin: 14px 0; padding: 12px 14px; list-style: none; border-radius: 12px; background: light-dark(#f6f6f8, #1f2022);
  display: grid; gap: 8px; max-height: 40vh; overflow: auto; overflow-wrap: anywhere; }
div { display: grid; grid-template-columns: 1fr 1fr; gap: 8px; margin-top: 14px; }
button { min-height: 44px; border: 0; border-radius: 12px; font: inherit; font-weight: 550; cursor: pointer;
  background: light-dark(#eeeef2, #282a2c); color: inherit; }
button.primary { background: #4655d4; color: #fff; }
button.quiet { min-height: 36px; font-size: 13px; font-weight: 400; background: none; color: light-dark(#62656f, #9ca0a9); }
button:focus-visible { outline: 2px solid #667dff; outline-offset: 2px; }
`

/** Events that do not leave the panel: to the page the wallet's window does not exist. */
const ownEvents = [
  'click',
  'pointerdown',
  'pointerup',
  'mousedown',
  'mouseup',
  'keydown',
  'keyup',
  'focusin',
  'focusout',
]

/** A panel in a shadow root. Uses no inline style and no HTML text, so that a strict policy allows it. */
export function createPanel(hostId = 'installed-wallet-confirm'): Panel {
  let last: Promise<unknown> = Promise.resolve()
  return {
    ask: question => {
      const answer = last.then(() => open(hostId, question))
      last = answer.then(({ closed }) => closed)
      return answer.then(({ verdict }) => verdict)
    },
  }
}

/** `closed` resolves when the window is gone, `verdict` only on a decision. */
function open(hostId: string, question: Question): { verdict: Promise<Verdict>; closed: Promise<void> } {
  const host = element('div', { id: hostId })
  const root = host.attachShadow({ mode: 'open' })
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(style)
  root.adoptedStyleSheets = [sheet]
  const dialog = element('dialog', { 'aria-label': `${question.wallet} asks` })
  const account = element('p', { 'data-testid': 'confirm-account' }, question.account())
  const lines = element('ul', { 'data-testid': 'confirm-lines' })
  lines.append(...question.lines.map(line => element('li', {}, line)))
  const button = (testid: string, name: string, look: string) =>
    element('button', { type: 'button', class: look, 'data-testid': testid }, name)
  const approve = button('confirm-approve', 'Approve', 'primary')
  const decline = button('confirm-decline', 'Decline', '')
  const silent = button('confirm-silent', 'Stay silent', 'quiet')
  const change = button('confirm-switch', 'Change account', 'quiet')
  const buttons = element('div', {})
  buttons.append(decline, approve, silent, change)
  dialog.append(
    element('h2', { 'data-testid': 'confirm-title' }, `${question.wallet}: ${question.title}`),
    element('p', {}, `Asked by ${location.host}`),
    account,
    lines,
    buttons,
  )
  root.append(dialog)
  for (const type of ownEvents) host.addEventListener(type, event => event.stopPropagation())
  // Escape is no decision. A browser lets a dialog cancel it only once, so a window closed that way reopens.
  dialog.addEventListener('cancel', event => event.preventDefault())
  dialog.addEventListener('close', () => host.isConnected && dialog.showModal())
  document.documentElement.append(host)
  // A modal dialog, because the page may show one of its own and everything outside the newest is inert.
  dialog.showModal()
  return {
    verdict: new Promise(resolve => {
      approve.addEventListener('click', () => resolve('approve'))
      decline.addEventListener('click', () => resolve('decline'))
    }),
    closed: new Promise(resolve => {
      const close = () => {
        host.remove()
        resolve()
      }
      for (const ending of [approve, decline, silent]) ending.addEventListener('click', close)
      change.addEventListener('click', () => {
        question.changeAccount()
        account.textContent = question.account()
      })
    }),
  }
}

function element<K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string>, text?: string) {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  if (text !== undefined) made.textContent = text
  return made
}
