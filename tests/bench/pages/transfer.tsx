/** A page that receives facts from a worker like the product's page, and in two ways without our outbox. */
import { proxy, wrap } from 'comlink'
import { createRoot } from 'react-dom/client'
import workerUrl from './factWorker.ts?worker&url'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import type { PagePort } from '../../../src/events/wire.ts'
import { trustedScriptURL } from '../../../src/main/page/integrity/trusted.ts'
import { StoreProvider, type Surroundings, useModel } from '../../../src/ui/react.tsx'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore } from '../../../src/ui/store.ts'
import type { FactWorker, TransferBench } from './api.ts'

const store = createStore({ request: task => void requestAnimationFrame(task), hidden: () => false }, foldBatch)

function Search() {
  return <p id="search">{useModel(model => model.listing.search)}</p>
}

/** Changes in every frame with facts. */
function Relay() {
  return (
    <p id="relay">
      {useModel(model => (model.relay.phase === 'connecting' ? model.relay.attempt : model.relay.phase))}
    </p>
  )
}

/** Runs `act` and resolves with the ms until `element` shows `text`, painted. */
function painted(element: Element, text: string, act: () => void): Promise<number> {
  return new Promise(resolve => {
    const start = performance.now()
    const changes = new MutationObserver(() => {
      if (element.textContent !== text) return
      changes.disconnect()
      // Both ways write within a frame; a message posted there arrives once that frame is painted
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => resolve(performance.now() - start)
      port2.postMessage(0)
    })
    changes.observe(element, { childList: true, characterData: true, subtree: true })
    act()
  })
}

async function start(root: Element): Promise<TransferBench> {
  const worker = new Worker(trustedScriptURL(workerUrl), { type: 'module' })
  const remote = wrap<FactWorker>(worker)
  const port: PagePort = {
    facts: async batch => store.take(batch),
    perform: async () => undefined,
    detached: async () => console.error('the worker gave this page up'),
    restart: async () => undefined,
    otherBuild: async () => undefined,
  }
  const one = (fact: FactRecord) => store.take([fact])
  store.attach(await remote.join(proxy(port) as unknown as PagePort, proxy(one) as unknown as typeof one))

  const plain = root.appendChild(document.createElement('p'))
  worker.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
    if (Array.isArray(data)) store.take(data as FactRecord[])
    else if (typeof data === 'object' && data !== null && 'echo' in data) {
      const text = String(data.echo)
      requestAnimationFrame(() => {
        plain.textContent = text
      })
    }
  })
  // The components here use only the store
  const surroundings = { store } as unknown as Surroundings
  createRoot(root.appendChild(document.createElement('div'))).render(
    <StoreProvider value={surroundings}>
      <Search />
      <Relay />
    </StoreProvider>,
  )
  await new Promise<void>(done => requestAnimationFrame(() => requestAnimationFrame(() => done())))
  const search = root.querySelector('#search') ?? root
  let count = 0

  return {
    async flood(flood) {
      const last = store.folded() + flood.count
      const folded = new Promise<void>(resolve => {
        const stop = store.subscribe(() => {
          if (store.folded() < last) return
          stop()
          resolve()
        })
      })
      await remote.flood(flood)
      await folded
    },
    press() {
      count += 1
      const text = `wallet ${count}`
      return painted(search, text, () => void remote.search(text, `c${count}`))
    },
    echo() {
      count += 1
      const text = `echo ${count}`
      return painted(plain, text, () => worker.postMessage({ echo: text }))
    },
  }
}

const place = document.getElementById('root')
if (place) void start(place).then(bench => (window.transferBench = bench))
