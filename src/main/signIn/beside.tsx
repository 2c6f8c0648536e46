/** The embed's views beside the modal: a sign-in, a request that waits in a wallet, and a notice while the modal is closed. */
import { useSyncExternalStore } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { SignInNotice } from '../../ui/signin/Notice.tsx'
import { SignIn } from '../../ui/signin/SignIn.tsx'
import { WaitingWallet } from '../../ui/signin/WaitingWallet.tsx'
import { languageOf, textsIn } from '../../ui/texts/language.tsx'
import { modalArea } from '../../ui/texts/modal/en.ts'
import type { Page } from '../page/page.tsx'
import { createSignIns, pageOf, type SignIns } from './signIn.ts'

type Panel = {
  ask: SignIns['ask']
  /** Passes a link to the core; shows a toast when its message cannot be read. */
  receiveLink(url: string): Promise<void>
  /** Shows the link of a host's request whose wallet the browser opens only by a press. */
  showWaiting(requestId: string): void
}

/** Draws the views beside the modal. @throws when the runtime's chunk cannot be loaded */
export async function drawBeside(page: Page, root: Element): Promise<Panel> {
  const runtime = await page.started
  const signIns = createSignIns({ store: page.store, runtime }, pageOf(location))
  const waiting = createShown()
  const place = document.createElement('div')
  root.append(place)
  page.draw(
    place,
    <Boundary instead={() => null}>
      <ShownSignIn signIns={signIns} />
      <ShownRequest waiting={waiting} />
      <SignInNotice />
    </Boundary>,
  )
  return {
    ask: signIns.ask,
    showWaiting: waiting.show,
    async receiveLink(url) {
      const refs = new Set<string>()
      const stop = runtime.hear(facts => {
        const isRefused = facts.some(({ type, ref }) => type === 'link.refused' && ref !== undefined && refs.has(ref))
        // A link without a message is refused in silence: hosts pass every link that opens the page
        if (isRefused && /[?&]wc_ev=/.test(url)) dispatch(page)
      })
      try {
        const { ref, taken } = runtime.give({ type: 'link.received', data: { url } })
        refs.add(ref)
        await taken
      } finally {
        stop()
      }
    },
  }
}

function dispatch({ surroundings, store }: Page): void {
  const message = textsIn(modalArea, languageOf(store.model().tab.language)).linkUnread
  const data = { toastId: `t${surroundings.now()}`, variant: 'error', message, autoClose: true } as const
  surroundings.dispatch({ type: 'toast.shown', data })
}

function ShownSignIn({ signIns }: { signIns: SignIns }) {
  const shown = useSyncExternalStore(signIns.subscribe, signIns.shown)
  if (!shown) return null
  const { auth, uri, wantsPress } = shown
  return <SignIn auth={auth} uri={uri} wantsPress={wantsPress} onRenew={signIns.renew} onLeave={signIns.leave} />
}

/** The id of the request whose link is shown. */
function createShown() {
  let shown: string | undefined
  const listeners = new Set<() => void>()
  return {
    shown: () => shown,
    show(requestId: string | undefined) {
      shown = requestId
      for (const listener of listeners) listener()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

function ShownRequest({ waiting }: { waiting: ReturnType<typeof createShown> }) {
  const requestId = useSyncExternalStore(waiting.subscribe, waiting.shown)
  return requestId === undefined ? null : (
    <WaitingWallet requestId={requestId} onClose={() => waiting.show(undefined)} />
  )
}
