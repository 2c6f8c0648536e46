/** Whether a wallet is reached by links instead of the relay: both sides must want it, and its link must be known for it. */
import type { Redirect } from '../../../events/schema/fields.ts'
import { own } from '../../../events/schema/own.ts'
import type { Ctx } from '../../core/context.ts'

/** How far apart links are opened, ms: the app behind one comes to the front before the next. */
const apartMs = 50

/** @returns what wallets are told of this page */
export function ownMetadata({ boot }: Ctx) {
  const { links, metadata } = boot
  return links ? { ...metadata, redirect: { universal: links.universal, linkMode: true as const } } : metadata
}

/** @returns the wallet's universal link if it and this page want messages by links */
export function wantedLink({ boot }: Ctx, redirect: Redirect | undefined): string | undefined {
  return boot.links && redirect?.linkMode ? redirect.universal : undefined
}

/** @returns whether wallets with this link take messages by it */
export function isKnownApp({ boot, model }: Ctx, universal: string): boolean {
  return boot.links !== undefined && (boot.links.apps.includes(universal) || model.link.apps.includes(universal))
}

/** Takes note that a wallet's link works. */
export function learnApp(ctx: Ctx, universal: string): void {
  if (!isKnownApp(ctx, universal)) ctx.fact('link.appLearned', { universal })
}

/** @returns the link by which messages on this topic go; undefined when they go over the relay */
export function linkFor(ctx: Ctx, topic: string): string | undefined {
  const session = own(ctx.model.session, topic)
  const universal = wantedLink(ctx, session?.redirect)
  if (!session || universal === undefined) return undefined
  // A message that came by a link is answered by one, and proves that its sender's link works
  if (cameByLink(ctx, topic)) return universal
  return session.transport === 'link' && isKnownApp(ctx, universal) ? universal : undefined
}

function cameByLink({ input }: Ctx, topic: string): boolean {
  return input.type === 'relay.message' && input.data.link === true && input.data.topic === topic
}

/** @returns whether a link may be opened now, and takes that turn; else another has just been opened */
export function hasTurn({ transient: { wire }, at }: Ctx): boolean {
  const { openedAt } = wire
  if (openedAt !== undefined && at >= openedAt && at - openedAt < apartMs) return false
  wire.openedAt = at
  return true
}

/** A link waits for its turn; it is opened when its timer fires. */
export function queueLink(ctx: Ctx, callId: string): void {
  const { wire } = ctx.transient
  // A clock that was set back keeps nothing waiting
  const { linkAt = 0 } = wire
  const at = (linkAt > ctx.at + 1000 ? ctx.at : Math.max(linkAt, ctx.at)) + apartMs
  wire.linkAt = at
  ctx.effect('timer.set', { timerId: `link:${callId}`, at })
}
