/** The embed's views beside the modal: a sign-in, and a notice while the modal is closed. */
import { useSyncExternalStore } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { SignInNotice } from '../../ui/signin/Notice.tsx'
import { SignIn } from '../../ui/signin/SignIn.tsx'
import type { Page } from '../page/page.tsx'
import { createSignIns, pageOf, type SignIns } from './signIn.ts'

type SignInPanel = {
  ask: SignIns['ask']
  /** Passes a link to the core; shows a toast when its message cannot be read. */
  receiveLink(url: string): Promise<void>
}

/** Draws the views into the modal's shadow root. @throws when the runtime's chunk cannot be loaded */
export async function drawBeside(page: Page, shadow: ShadowRoot): Promise<SignInPanel> {
  const runtime = await page.started
  const signIns = createSignIns({ store: page.store, runtime }, pageOf(location))
  const place = document.createElement('div')
  shadow.append(place)
  page.draw(
    place,
    <Boundary instead={() => null}>
      <Waiting signIns={signIns} />
      <SignInNotice />
    </Boundary>,
  )
  return {
    ask: signIns.ask,
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

const refusedWords = 'A wallet opened this page with a message it cannot read. Nothing has changed.'

function dispatch({ surroundings }: Page): void {
  const data = { toastId: `t${surroundings.now()}`, variant: 'error', message: refusedWords, autoClose: true } as const
  surroundings.dispatch({ type: 'toast.shown', data })
}

function Waiting({ signIns }: { signIns: SignIns }) {
  const shown = useSyncExternalStore(signIns.subscribe, signIns.shown)
  if (!shown) return null
  const { auth, uri, wantsPress } = shown
  return (
    <SignIn
      auth={auth}
      uri={uri}
      wantsPress={wantsPress}
      onOpenWallet={signIns.openWallet}
      onRenew={signIns.renew}
      onLeave={signIns.leave}
    />
  )
}
