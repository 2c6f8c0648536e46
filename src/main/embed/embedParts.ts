import type { Listed } from '../../worker/drivers/parts.ts'

const text: string = import.meta.env.VITE_EMBED_PARTS

/**
 * @param url address of this module's own file
 * @param origin of the page
 * @returns why the embed cannot start from there, one sentence; undefined when it can
 */
export function placeProblem(url: string, origin: string): string | undefined {
  if (!/\/embed\.js(?:[?#]|$)/.test(url))
    return 'createModal expected to run from embed.js itself, a bundler moved it into another file: serve the folder embed/ as it is, and load embed.js with a script tag or with import(/* @vite-ignore */ address)'
  const from = new URL(url).origin
  if (from === origin) return undefined
  return `createModal expected embed.js on the page's own origin ${origin}, it came from ${from}: copy the folder embed/ there, as browsers start no worker from another origin`
}

/** The embed's own list of its files; a page has an import map instead. */
export const embedParts: Listed | undefined = text ? (JSON.parse(text) as Listed) : undefined
