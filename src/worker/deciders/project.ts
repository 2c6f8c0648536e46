/**
 * The project's configuration: read when the modal first opens in a page, once in its life; it holds up nothing. In basic mode it
 * is not read.
 */
import type { Ctx, Decider } from '../core/context.ts'
import { type Remote, resolveFeatures } from '../services/project/features.ts'

export const project: Decider = {
  'project.open': ctx => {
    if (ctx.boot.basic || ctx.model.project.phase !== 'unread') return
    ctx.fact('project.asked', {})
    ctx.effect('project.read', {})
  },
  'project.read': (ctx, { features }) => {
    const { email, socials } = resolve(ctx, features, 'service')
    if (email || socials.length > 0) ctx.effect('project.readOrigins', {})
  },
  'project.failed': (ctx, { problem }) => {
    resolve(ctx, 'failed', 'failure')
    if (problem) ctx.fact('project.refused', problem)
  },
  'project.origins': (ctx, { problem }) => {
    if (problem) ctx.fact('project.refused', problem)
  },
  failed: { 'project.read': ctx => void resolve(ctx, 'failed', 'failure') },
  resume: ctx => {
    const { phase } = ctx.model.project
    if (ctx.boot.cause === 'lost') {
      if (phase === 'reading') ctx.effect('project.read', {})
    } else if (ctx.boot.features || ctx.boot.basic || phase !== 'unread') resolve(ctx, 'unasked', 'boot')
  },
}

function resolve(ctx: Ctx, remote: Remote, by: 'boot' | 'service' | 'failure') {
  const { features: local = {}, featureRule, basic } = ctx.boot
  const { features, ignored, warning } = resolveFeatures(local, basic ? 'basic' : remote, featureRule)
  ctx.fact('project.resolved', { by, features, ignored, ...(warning !== undefined && { warning }) })
  return features
}
