/** After a request is with the relay the wallet is opened on this device, if that is how the person reached it. */
import { own } from '../../events/own.ts'
import type { Ctx, Decider } from '../context.ts'

/** The page somebody looks at; a link opens there. */
function visibleTab(ctx: Ctx): string | undefined {
  return Object.entries(ctx.transient.pages).find(([, page]) => page.visible)?.[0]
}

/** Opens the wallet of a request that the relay has just taken. */
function wake(ctx: Ctx, requestId: string): void {
  const request = own(ctx.model.request, requestId)
  // Taken a second time, or answered already: nobody waits at the wallet
  if (request?.phase !== 'sent') return
  const { sessionTopic } = request
  const session = sessionTopic === undefined ? undefined : own(ctx.model.session, sessionTopic)
  const link = session && own(ctx.model.link.chosen, session.pairingTopic)
  const tab = visibleTab(ctx)
  if (link === undefined || sessionTopic === undefined || session?.disableDeepLink || tab === undefined) return
  ctx.effect('link.open', { link, requestId, sessionTopic }, { after: 'stored', tab, about: requestId })
}

export const link: Decider = {
  'link.choose': (ctx, { pairingTopic, link: chosen }) => {
    if (own(ctx.model.pairing.open, pairingTopic)) ctx.fact('link.chosen', { pairingTopic, link: chosen })
  },
  'relay.taken': (ctx, { callId }) => {
    const purpose = own(ctx.model.outbox, callId)?.purpose ?? ''
    if (purpose.startsWith('request:')) wake(ctx, purpose.slice('request:'.length))
  },
  'link.opened': ctx => {
    if (ctx.cause) ctx.fact('link.opened', { requestId: ctx.cause.about })
  },
  'link.skipped': (ctx, { why }) => {
    if (ctx.cause) ctx.fact('link.skipped', { requestId: ctx.cause.about, why })
  },
}
