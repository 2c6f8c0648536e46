import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'vite'

/**
 * Stamps every script, module preload and stylesheet of the built pages with its sha384, so that a changed file is
 * refused by the browser.
 *
 * @param publicDir folder whose files are copied as they are and may be named by the pages too
 * @see W3C Subresource Integrity
 */
export function integrity(publicDir: string): Plugin {
  return {
    name: 'subresource-integrity',
    apply: 'build',
    enforce: 'post',
    generateBundle: {
      order: 'post',
      handler(_options, bundle) {
        const contentOf = (url: string): string | Uint8Array => {
          const name = url.replace(/^\.?\//, '')
          const file = bundle[name]
          if (!file) return readFileSync(join(publicDir, name))
          return file.type === 'chunk' ? file.code : file.source
        }
        for (const page of Object.values(bundle)) {
          if (page.type === 'asset' && page.fileName.endsWith('.html'))
            page.source = stamped(String(page.source), contentOf)
        }
      },
    },
  }
}

const tags = /<(?:script\b[^>]*\ssrc|link\b[^>]*\srel="(?:modulepreload|stylesheet)"[^>]*\shref)="([^"]+)"/g

/**
 * @param html a page whose scripts and styles are all addressed relative to it
 * @param contentOf the bytes behind such an address
 */
export function stamped(html: string, contentOf: (url: string) => string | Uint8Array): string {
  return html.replace(tags, (tag, url: string) => {
    const hash = createHash('sha384').update(contentOf(url)).digest('base64')
    return `${tag} integrity="sha384-${hash}"`
  })
}
