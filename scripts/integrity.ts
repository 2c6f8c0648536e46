/**
 * Subresource integrity: every script and style sheet is compared with its hash before use. A page lists hashes in its tags and
 * in an import map, and the browser compares; the embed and each worker hold a list, and `src/worker/drivers/parts.ts`
 * compares.
 */
import { createHash } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import type { Listed } from '../src/worker/drivers/parts.ts'
import { startsIn } from './workerEntries.ts'

type Bundle = Parameters<Extract<NonNullable<Plugin['generateBundle']>, (...args: never[]) => unknown>>[1]

/** Placeholder in the sources for the list of parts. */
export const listMark = '@@parts@@'
const markLiteral = new RegExp(`(["'\`])${listMark}\\1`)
const laterImport = /\bimport\(\s*(["'`])(\.\/[^"'`]+)\1\s*\)/g
const mapTag = /<script type="importmap">([^<]*)<\/script>/g

/** @returns the hash as in an `integrity` attribute */
export const hashOf = (content: string | Uint8Array, by: 'sha256' | 'sha384' = 'sha256'): string =>
  `${by}-${createHash(by).update(content).digest('base64')}`

const contentIn = (bundle: Bundle, name: string): string | Uint8Array | undefined => {
  const file = bundle[name]
  return file?.type === 'chunk' ? file.code : file?.source
}

/** Goes into the hash in each file name: names are final before this plugin changes the content. */
const ownHash = (): string => hashOf(readFileSync(fileURLToPath(import.meta.url)))

/**
 * Adds sha384 to the tags of the built pages, and before them an import map with the hashes of all other files.
 *
 * @param publicDir folder of files copied unchanged, which the pages may reference too
 * @see W3C Subresource Integrity; HTML, "integrity metadata" of an import map
 */
export function integrity(publicDir: string): Plugin {
  return {
    name: 'subresource-integrity',
    apply: 'build',
    enforce: 'post',
    augmentChunkHash: ownHash,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const contentOf = (url: string): string | Uint8Array => {
          const name = url.replace(/^\.?\//, '')
          return contentIn(bundle, name) ?? readFileSync(join(publicDir, name))
        }
        const map = importMap(bundle)
        for (const page of Object.values(bundle)) {
          if (page.type !== 'asset' || !page.fileName.endsWith('.html')) continue
          const html = stamped(String(page.source), contentOf)
          // After a style sheet it would hold up the parser until that is here
          const first = /(?=<link\b[^>]*\srel="stylesheet"|<script\b[^>]*\ssrc=)/
          page.source = html.replace(first, `<script type="importmap">${map}</script>\n    `)
        }
      },
    },
  }
}

/** Gives lazily loaded style sheets an integrity attribute; Vite's preload helper sets none. */
export function stylesChecked(published: string): Plugin {
  const line = 'link.href = dep.href;'
  const changes = [
    [line, `if (isCss) link.integrity = publishedHashes()?.get(dep.href) ?? 'sha256-none';\n${line}`],
    // Without these a part whose style sheet failed would be drawn unstyled at the second try
    ['seen[href] = void 0;\n\t\tthrow err;', 'delete seen[href];\nthrow err;'],
    ['if (e.type === "error") rej(', 'if (e.type === "error") link.remove(), rej('],
  ] as const
  const importLine = `import { publishedHashes } from ${JSON.stringify(published)};\n`
  return {
    name: 'styles-checked',
    apply: 'build',
    transform: {
      order: 'pre',
      handler(code, id) {
        if (!id.endsWith('vite/preload-helper.js')) return null
        const changed = changes.reduce((text, [from, to]) => {
          if (!text.includes(from)) throw new Error(`vite's preload helper expected the code ${from}, it has none`)
          return text.replace(from, () => to)
        }, code)
        return { code: importLine + changed, map: null }
      },
    },
  }
}

/** Hashes of a page's chunks and lazy style sheets, and of its workers' entries with their static imports. */
function importMap(bundle: Bundle): string {
  const names = Object.values(bundle).flatMap(file =>
    file.type === 'chunk' || file.fileName.endsWith('.css') ? [file.fileName] : [],
  )
  const all = [...names, ...workerFiles(bundle)].sort()
  const hashes = all.map(name => [`./${name}`, hashOf(contentIn(bundle, name) ?? '')])
  return JSON.stringify({ integrity: Object.fromEntries(hashes) as Record<string, string> })
}

/** @returns names of the workers' entries and of their static imports */
function workerFiles(bundle: Bundle): string[] {
  const beside = new Map(Object.keys(bundle).map(name => [basename(name), name]))
  const found = new Set<string>()
  for (const file of Object.values(bundle)) {
    if (file.type !== 'chunk') continue
    for (const entry of startsIn(file.code)) found.add(beside.get(basename(entry)) ?? entry)
  }
  for (const name of found) {
    const text = String(contentIn(bundle, name) ?? '')
    for (const [, , path = ''] of text.matchAll(/\b(?:from|import)\s*(["'`])(\.\/[^"'`]+)\1/g))
      found.add(beside.get(basename(path)) ?? path)
  }
  return [...found]
}

/**
 * Routes every dynamic import of a worker or the embed through the check. The embed holds its list inline; a worker's lies in a
 * separate file whose hash the worker holds, so that the worker starts sooner.
 */
export function checkedParts(): Plugin {
  return {
    name: 'checked-parts',
    apply: 'build',
    enforce: 'post',
    augmentChunkHash: ownHash,
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
        for (const chunk of chunks)
          chunk.code = chunk.code.replace(laterImport, 'globalThis[Symbol.for("mai.part")]($1$2$1)')
        const holder = chunks.find(chunk => markLiteral.test(chunk.code))
        if (!holder) return
        const text = JSON.stringify(listOf(bundle))
        if (holder.isEntry) {
          holder.code = holder.code.replace(markLiteral, () => `'${text}'`)
          return
        }
        const hash = hashOf(text)
        const name = `parts-${hash.slice(7, 15).replace(/[+/]/g, '_')}.json`
        this.emitFile({ type: 'asset', fileName: join(dirname(holder.fileName), name), source: text })
        holder.code = holder.code.replace(markLiteral, () => `'${name} ${hash}'`)
      },
    },
  }
}

/** @returns every part not loaded at the start, and the entries of workers with their static imports */
function listOf(bundle: Bundle): Listed {
  const chunks = Object.values(bundle).filter(file => file.type === 'chunk')
  const here = new Set(chunks.filter(chunk => chunk.isEntry).flatMap(chunk => [chunk.fileName, ...chunk.imports]))
  const listed: Record<string, readonly [string, ...string[]]> = {}
  for (const { fileName, code, imports } of chunks.filter(chunk => !here.has(chunk.fileName))) {
    const more = imports.filter(name => !here.has(name)).map(name => basename(name))
    listed[basename(fileName)] = [hashOf(code), ...more]
  }
  for (const name of workerFiles(bundle)) listed[basename(name)] = [hashOf(contentIn(bundle, name) ?? '')]
  return listed
}

const tags = /<(?:script\b[^>]*\ssrc|link\b[^>]*\srel="(preload|modulepreload|stylesheet)"[^>]*\shref)="([^"]+)"/g

/**
 * @param html a page whose scripts and styles all have relative addresses
 * @param contentOf the bytes behind such an address
 */
export function stamped(html: string, contentOf: (url: string) => string | Uint8Array): string {
  // A module takes a preloaded file only with the hash that the import map has of it
  return html.replace(tags, (tag, rel: string | undefined, url: string) => {
    return `${tag} integrity="${hashOf(contentOf(url), rel === 'preload' ? 'sha256' : 'sha384')}"`
  })
}

/** @returns hashes a policy has to allow: those of the import maps in these pages of a build */
export function importMapHashes(dist: string, pages: readonly string[]): string[] {
  const files = pages.map(page => join(dist, page)).filter(file => existsSync(file))
  return files.flatMap(file => [...readFileSync(file, 'utf8').matchAll(mapTag)].map(([, text = '']) => hashOf(text)))
}

/** @returns the tags with which a host page loads the embed: as a module, or as a classic script */
export function embedTags(embed: Uint8Array, classic: Uint8Array): string {
  const rest = (name: string, content: Uint8Array) =>
    `src="${name}" integrity="${hashOf(content, 'sha384')}" crossorigin="anonymous"></script>\n`
  return `<script type="module" ${rest('embed.js', embed)}<script ${rest('mai-modal.js', classic)}`
}
