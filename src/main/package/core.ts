/**
 * Entry of the core's worker in the package. A host's bundler may put shared modules into an entry, and WebKit runs an entry
 * again that another chunk imports: so this one holds no shared module and imports all code later. Messages that arrive before
 * wait for it.
 */
const early: MessageEvent[] = []
const keep = (event: MessageEvent) => {
  event.stopImmediatePropagation()
  early.push(event)
}
addEventListener('message', keep)
import('../../worker/host/calls/serve.ts').then(() => {
  removeEventListener('message', keep)
  for (const { data, ports } of early) dispatchEvent(new MessageEvent('message', { data, ports: [...ports] }))
}, reportError)

export {}
