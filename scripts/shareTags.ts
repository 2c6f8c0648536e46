/** Head tags that need the page's absolute address: canonical and the picture of a shared link. */
import type { HtmlTagDescriptor, Plugin } from 'vite'

/**
 * @param address the page's public address, `https://sale.example/`; without one the page has no such tags
 * @throws Error when it is no https address
 */
export function shareTags(address: string | undefined): Plugin {
  const url = address === undefined || address === '' ? undefined : checked(address)
  return { name: 'share-tags', transformIndexHtml: () => (url ? tagsOf(url) : []) }
}

function checked(address: string): URL {
  if (!URL.canParse(address) || new URL(address).protocol !== 'https:')
    throw new Error(`VITE_PAGE_URL expected an https address, got ${JSON.stringify(address)}`)
  return new URL(address)
}

function tagsOf(page: URL): HtmlTagDescriptor[] {
  const picture = new URL('share.png', page).href
  const meta = (property: string, content: string) => ({
    tag: 'meta',
    attrs: { property, content },
    injectTo: 'head' as const,
  })
  return [
    { tag: 'link', attrs: { rel: 'canonical', href: page.href }, injectTo: 'head' },
    meta('og:url', page.href),
    meta('og:image', picture),
    meta('og:image:width', '1200'),
    meta('og:image:height', '630'),
  ]
}
