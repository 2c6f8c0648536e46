/** What the embed shows beside the modal, when there is something: a sign-in, and a notice while the modal is closed. */
import { useSyncExternalStore } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { SignInNotice } from '../../ui/signin/Notice.tsx'
import { SignIn } from '../../ui/signin/SignIn.tsx'
import type { Page } from '../page/page.tsx'
import { createSignIns, pageOf, type SignIns } from './signIn.ts'

type SignInPanel = {
  ask: SignIns['ask']
  /** Hands in a link, and says so where it holds a message that this page cannot take. */
  receiveLink(url: string): Promise<void>
}

/** Draws it into the modal's own root. @throws when the part behind the page is gone */
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
        // Any address may be handed in; one without a message is none of a wallet's
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
