/** A client of W3C WebDriver, as far as the journeys need one. @see https://www.w3.org/TR/webdriver2/ */
import { writeFile } from 'node:fs/promises'
import { sizes, type Tab } from './tab.ts'

/** The member that holds an element's id. @see WebDriver §11 */
const elementKey = 'element-6066-11e4-a52e-4f735466cecf'

/**
 * Begins a session.
 * @param driver address of a listening driver
 * @throws Error with the driver's own words
 */
export async function openSession(driver: string, capabilities: Record<string, unknown>): Promise<Tab> {
  async function ask(method: string, path: string, body?: Record<string, unknown>): Promise<unknown> {
    const answer = await fetch(driver + path, { method, ...(body && { body: JSON.stringify(body) }) })
    const { value } = (await answer.json()) as { value: unknown }
    if (answer.ok) return value
    const { error, message } = value as { error: string; message: string }
    throw new Error(`WebDriver expected to do ${method} ${path}, got ${error}: ${message}`)
  }

  const made = await ask('POST', '/session', { capabilities: { alwaysMatch: capabilities } })
  const session = `/session/${(made as { sessionId: string }).sessionId}`
  const post = (path: string, body: Record<string, unknown> = {}) => ask('POST', session + path, body)
  await post('/timeouts', { script: 60_000, pageLoad: 60_000, implicit: 0 })

  async function find(css: string): Promise<string> {
    const script = `return (${findAnywhere.toString()}).apply(null, arguments)`
    const found = await post('/execute/sync', { script, args: [css] })
    return (found as Record<string, string> | null)?.[elementKey] ?? ''
  }

  const tab: Tab = {
    open: async url => void (await post('/url', { url })),
    reload: async () => void (await post('/refresh')),
    back: async () => void (await post('/back')),
    picture: async path =>
      writeFile(path, Buffer.from((await ask('GET', `${session}/screenshot`)) as string, 'base64')),
    run: async (work, ...args) => {
      const script = `return (${work.toString()}).apply(null, arguments)`
      return (await post('/execute/sync', { script, args })) as ReturnType<typeof work>
    },
    async click(css) {
      await post(`/element/${await find(css)}/click`)
    },
    type: async (css, text) => void (await post(`/element/${await find(css)}/value`, { text })),
    resize: async device => void (await post('/window/rect', sizes[device])),
    windows: async () => ((await ask('GET', `${session}/window/handles`)) as string[]).length,
    async another() {
      const { handle } = (await post('/window/new', { type: 'window' })) as { handle: string }
      await post('/window', { handle })
    },
    async closeOthers() {
      const kept = (await ask('GET', `${session}/window`)) as string
      for (const handle of (await ask('GET', `${session}/window/handles`)) as string[]) {
        if (handle === kept) continue
        await post('/window', { handle })
        await ask('DELETE', `${session}/window`)
      }
      await post('/window', { handle: kept })
    },
    close: async () => void (await ask('DELETE', session)),
  }
  return tab
}

/** Finds an element and scrolls to it: the driver refuses a click outside the window. Runs in the page. */
function findAnywhere(css: string): Element | null {
  const roots = [document, ...[...document.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])]
  const [found = null] = roots.flatMap(root => root.querySelector(css) ?? [])
  found?.scrollIntoView({ block: 'center', behavior: 'instant' })
  return found
}
