/** The pages that are joined to this core, and whether the device is online. */
import { own } from '../../runtime/schema/own.ts'
import type { Ctx, Decider } from '../core/context.ts'

/** @returns true while somebody is looking: polls and renewals rest otherwise */
export function anyVisible(ctx: Ctx): boolean {
  return Object.values(ctx.transient.pages).some(page => page.visible)
}

/** @returns the page somebody looks at: what is to be seen or opened is so there */
export function visibleTab(ctx: Ctx): string | undefined {
  return Object.entries(ctx.transient.pages).find(([, page]) => page.visible)?.[0]
}

/** @returns true when some joined page holds this effect open or has its answer on the way */
export function heldByPage(ctx: Ctx, effectId: string): boolean {
  return Object.values(ctx.transient.pages).some(
    page => page.asking.includes(effectId) || page.answered.includes(effectId),
  )
}

export const page: Decider = {
  'core.storageFailed': (ctx, { message }) => {
    if (ctx.model.core.storage === 'durable') ctx.fact('core.storageLost', { message })
  },
  'core.logDamaged': (ctx, lost) => ctx.fact('core.logCut', lost),
  'core.logFull': (ctx, left) => ctx.fact('core.logShrunk', left),
  'page.attached': (ctx, { visible, asking, answered }) => {
    if (ctx.input.tab !== undefined) ctx.transient.pages[ctx.input.tab] = { visible, asking, answered }
  },
  'page.left': ctx => {
    if (ctx.input.tab !== undefined) delete ctx.transient.pages[ctx.input.tab]
  },
  'page.visible': (ctx, { visible }) => {
    const joined = own(ctx.transient.pages, ctx.input.tab ?? '')
    if (joined) joined.visible = visible
  },
  'page.online': (ctx, { online }) => {
    if (online !== ctx.model.network.online) ctx.fact(online ? 'network.online' : 'network.offline', {})
  },
  resume: ctx => {
    if (ctx.boot.online !== ctx.model.network.online)
      ctx.fact(ctx.boot.online ? 'network.online' : 'network.offline', {})
  },
}
