/** 480 rows that read by selectors, and the same rows under one React context with the model. */
import { createContext, memo, useContext, useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { createRoot } from 'react-dom/client'
import type { Model } from '../../../src/events/app.ts'
import type { FactRecord } from '../../../src/runtime/log/record.ts'
import { Logo } from '../../../src/ui/kit/identity/Logo.tsx'
import { Row } from '../../../src/ui/kit/Row.tsx'
import { StoreProvider, type Surroundings, useModel } from '../../../src/ui/react.tsx'
import { foldBatch } from '../../../src/ui/foldBatch.ts'
import { createStore, type Store } from '../../../src/ui/store.ts'
import type { RowsBench, Unrelated } from './api.ts'

const rows = 480
/** Counts renders, a side effect components must not have; here it is the measurement. */
const counted = { renders: 0 }
const count = () => {
  counted.renders += 1
}

const Selecting = memo(function Selecting({ index }: { index: number }) {
  count()
  const wallet = useModel(model => model.listing.all.wallets[index])
  const chosen = useModel(model => model.connection.recent[0]?.walletId === wallet?.walletId)
  return <Line name={wallet?.name ?? ''} chosen={chosen} />
})

const Whole = createContext<Model | null>(null)

const Contextual = memo(function Contextual({ index }: { index: number }) {
  count()
  const model = useContext(Whole)
  const wallet = model?.listing.all.wallets[index]
  return <Line name={wallet?.name ?? ''} chosen={model?.connection.recent[0]?.walletId === wallet?.walletId} />
})

function Line({ name, chosen }: { name: string; chosen: boolean }) {
  return <Row mark={<Logo name={name} />} name={name} sub={chosen ? 'Recent' : undefined} />
}

const indexes = Array.from({ length: rows }, (_, index) => index)

function Carrier({ store }: { store: Store }) {
  const [model, setModel] = useState(store.model())
  useEffect(() => store.subscribe(() => flushSync(() => setModel(store.model()))), [store])
  return (
    <Whole value={model}>
      {indexes.map(index => (
        <Contextual key={index} index={index} />
      ))}
    </Whole>
  )
}

/** A store that folds at once instead of in the next frame, with the directory read and every row rendered. */
function draw(root: Element, tree: (store: Store) => React.ReactNode) {
  const store = createStore({ request: task => task(), hidden: () => false }, foldBatch)
  let seq = 0
  const take = (type: string, data: Record<string, unknown>) => {
    seq += 1
    const fact: FactRecord = { k: 'f', seq, n: seq, at: 1_800_000_000_000 + seq, type, v: 1, data }
    store.take([fact])
  }
  const wallets = indexes.map(index => ({ walletId: `w${index}`, name: `Wallet ${index}`, certified: false }))
  take('listing.read', { page: 1, search: '', count: rows, wallets })
  const drawn = createRoot(root.appendChild(document.createElement('div')))
  flushSync(() => drawn.render(tree(store)))
  // Effects subscribe after the first render
  flushSync(() => undefined)

  return (facts: number): Unrelated => {
    counted.renders = 0
    const start = performance.now()
    for (let index = 0; index < facts; index++) take('relay.connecting', { attempt: seq })
    const microseconds = ((performance.now() - start) * 1000) / facts
    return { renders: counted.renders / facts, microseconds }
  }
}

function start(root: Element): RowsBench {
  const selectors = draw(root, store => (
    <StoreProvider value={{ store } as unknown as Surroundings}>
      {indexes.map(index => (
        <Selecting key={index} index={index} />
      ))}
    </StoreProvider>
  ))
  const context = draw(root, store => <Carrier store={store} />)
  return { rows, selectors, context }
}

const place = document.getElementById('root')
if (place) window.rowsBench = start(place)
