import type { EndedRequest, LateAnswer, WalletRequest } from '../../../events/subjects/session/requestState.ts'
import { isEnded, outlived } from '../../../events/subjects/session/request.ts'
import type { Ctx } from '../../core/context.ts'
import { forgetBytes } from '../forget.ts'

/** Deletes the bytes of long answers whose requests this step evicts; `ending` more requests end in it. */
export function forgetOutlived(ctx: Ctx, ending = 0): void {
  const old: readonly WalletRequest[] = outlived(ctx.model.request, ending)
  if (!old.some(request => refsOf(request).length > 0)) return
  const staying = Object.values(ctx.model.request).filter(request => !old.includes(request))
  const kept = new Set(staying.flatMap(refsOf))
  forgetBytes(ctx, ...old.flatMap(refsOf).filter(ref => !kept.has(ref)))
}

/** Deletes the bytes of a late answer that another one replaces, unless some request has an equal answer. */
export function forgetReplaced(ctx: Ctx, request: EndedRequest, late: LateAnswer): void {
  const ref = request.late?.resultRef
  if (ref === undefined || ref === late.resultRef || Object.keys(late).length === 0) return
  const others = Object.values(ctx.model.request).map(one => (one === request ? { ...request, late } : one))
  if (!others.flatMap(refsOf).includes(ref)) forgetBytes(ctx, ref)
}

function refsOf(request: WalletRequest): string[] {
  if (!isEnded(request)) return []
  const { end, late } = request
  const refs = [end.how === 'answered' ? end.resultRef : undefined, late?.resultRef]
  return refs.filter(ref => ref !== undefined)
}
