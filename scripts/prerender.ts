/** Puts the first render of the presale page into its HTML. */
import { createServer, type Plugin, type UserConfig } from 'vite'

const root = '<div id="root"></div>'

/**
 * Shown by a press of Connect wallet before any script runs, and never seen: `baseline.js` looks for it and takes it away. It stands
 * before the button: a press while the page still arrives does nothing without it.
 */
const pressedEarly = '<div id="pressed-early" popover="manual"></div>'
const connectButton = 'data-testid="connect-button"'
const shows = 'popovertarget="pressed-early" popovertargetaction="show"'

/**
 * @param page file name of the page that is prerendered
 * @param config of a server that loads `page/prerendered.tsx` with what is built into the page
 * @throws Error when the page has no empty root, its markup no button that connects, or its markup needs what the policy forbids:
 *   inline scripts or styles
 */
export function prerender(page: string, config: () => UserConfig): Plugin {
  return {
    name: 'prerender',
    apply: 'build',
    transformIndexHtml: {
      order: 'pre',
      async handler(html, { filename }) {
        if (filename !== page) return html
        if (!html.includes(root)) throw new Error(`${page} expected an empty root: ${root}`)
        const markup = await markupOf(config())
        const forbidden = /<script|\sstyle=|\son\w+=/i.exec(markup)?.[0]
        if (forbidden)
          throw new Error(`the prerendered page expected neither inline scripts nor styles, got ${forbidden}`)
        if (!markup.includes(connectButton))
          throw new Error(`the prerendered page expected a button with ${connectButton}, it has none`)
        const pressable = markup.replace(connectButton, `${connectButton} ${shows}`)
        // A function, as `$` in the markup would be a pattern
        const filled = html.replace(root, () => `${pressedEarly}\n    ${root.replace('><', `>${pressable}<`)}`)
        return filled.replace('<html ', '<html data-prerendered ')
      },
    },
  }
}

/** Puts style sheets before scripts: the first paint waits for the former alone. */
export function stylesFirst(): Plugin {
  return {
    name: 'styles-first',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(html) {
        const styles = [...html.matchAll(/\s*<link rel="stylesheet"[^>]*>/g)].map(([tag]) => tag)
        const rest = styles.reduce((text, tag) => text.replace(tag, ''), html)
        return rest.replace(/\s*<script\b/, found => `${styles.join('')}${found}`)
      },
    },
  }
}

async function markupOf(config: UserConfig): Promise<string> {
  const server = await createServer({
    ...config,
    appType: 'custom',
    logLevel: 'error',
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  })
  try {
    const { markup } = (await server.ssrLoadModule('/page/prerendered.tsx')) as { markup(): Promise<string> }
    return await markup()
  } finally {
    await server.close()
  }
}

/**
 * Has the page's script fetched while the page is painted, at low priority. A `modulepreload` would compile it, too, which takes time
 * from the first paint. The entry imports it after that.
 *
 * @throws Error when the page's entry imports nothing later
 */
export function fetchedEarly(page: string): Plugin {
  return {
    name: 'fetched-early',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler(_html, { filename, chunk, bundle = {} }) {
        if (filename !== page) return []
        const later = (chunk?.dynamicImports ?? []).flatMap(name => {
          const file = bundle[name]
          return file?.type === 'chunk' ? [name, ...file.imports] : []
        })
        const here = [chunk?.fileName, ...(chunk?.imports ?? [])]
        const names = [...new Set(later)].filter(name => !here.includes(name))
        if (names.length === 0)
          throw new Error(`${page} expected an entry that imports the page later, it imports nothing`)
        return names.map(name => ({
          tag: 'link',
          attrs: { rel: 'preload', as: 'script', crossorigin: true, fetchpriority: 'low', href: `./${name}` },
          injectTo: 'head' as const,
        }))
      },
    },
  }
}
