/** Requests of the project configuration service, and the smallest of its answers. @see reference "HTTP APIs", §4 */
import { boolean, looseObject } from '../../../runtime/schema/schema.ts'
import { readAnswer } from '../../rpc/answers.ts'

/** The asking page; an unknown SDK version is stated as the reference states it. */
export type ProjectHost = { configUrl: string; projectId: string; sdkVersion?: string }

const paths = {
  features: '/appkit/v1/config',
  origins: '/projects/v1/origins',
  analytics: '/getAnalyticsConfig',
} as const

/** @returns the address of a GET; an empty project id is left out */
export function projectUrl(asked: keyof typeof paths, { configUrl, projectId, sdkVersion }: ProjectHost): string {
  const url = new URL(configUrl)
  url.pathname = `${url.pathname.replace(/\/+$/, '')}${paths[asked]}`
  url.search = ''
  url.hash = ''
  if (projectId !== '') url.searchParams.set('projectId', projectId)
  url.searchParams.set('st', 'appkit')
  url.searchParams.set('sv', sdkVersion || 'html-wagmi-4.2.2')
  return url.href
}

/**
 * @param body answer of `GET /getAnalyticsConfig`
 * @returns whether analytics is on; it overrides the host's option, and a failure turns analytics off
 * @throws Fault `bad_response` when the answer does not say it
 */
export function readAnalyticsSwitch(body: unknown): boolean {
  return readAnswer(looseObject({ isAnalyticsEnabled: boolean() }), body, 'the analytics configuration')
    .isAnalyticsEnabled
}
