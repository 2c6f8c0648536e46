/**
 * The first render of the presale page as markup. Runs in Node, as part of the build: it has the words and the layout of the page
 * before the sale is read, so that a visitor can read it before any script runs.
 */
import { StrictMode } from 'react'
import { prerenderToNodeStream } from 'react-dom/static'
import { text } from 'node:stream/consumers'
import { App } from '../../ui/App.tsx'
import { StoreProvider, type Surroundings } from '../../ui/react.tsx'
import { createStore } from '../../ui/store.ts'
import { builtAddresses } from '../config.ts'
import { presale } from './presale.ts'

/** Stands for the page's folder, whose address only its visitors know. */
const here = 'https://prerendered.invalid/'

/** @returns the markup inside the page's root, in English; links into the page's folder are relative */
export async function markup(): Promise<string> {
  const store = createStore({ request: () => undefined, hidden: () => false })
  store.dispatch({ type: 'tab.opened', data: { width: 1280, theme: 'system', language: 'en' }, at: 0 })
  // A first render reads these alone: all others belong to presses and effects
  const read: Pick<Surroundings, 'store' | 'config' | 'device' | 'now'> = {
    store,
    config: presale(builtAddresses(here)).ui,
    device: { recall: () => undefined, remember: () => undefined },
    now: () => 0,
  }
  const { prelude } = await prerenderToNodeStream(
    <StrictMode>
      <StoreProvider value={read as Surroundings}>
        <App />
      </StoreProvider>
    </StrictMode>,
    // One piece: pieces would need an inline script, which the page's policy forbids
    { progressiveChunkSize: Number.POSITIVE_INFINITY },
  )
  return (await text(prelude)).replaceAll(here, './')
}
