import { useEffect, useState } from 'react'
import { SearchField } from '../../kit/controls/SearchField.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Note } from '../../kit/feedback/Note.tsx'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { warn } from '../../kit/icons/icons.ts'
import { ScrollArea } from '../../kit/surface/ScrollArea.tsx'
import { useDispatch, useModel } from '../../react.tsx'
import { modalArea } from '../../texts/modal/en.ts'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { NetworkRow } from './NetworkRow.tsx'
import { useNetworks } from './useNetworks.ts'

/** Debounce of typing, ms. */
const debounceMs = 100

/** The networks to choose from, searchable by name. */
export function NetworkList() {
  const dispatch = useDispatch()
  const t = useTexts(networksArea)
  const { whatIsANetwork } = useTexts(modalArea)
  const [typed, setTyped] = useState('')
  const wanted = useSettled(typed.trim())
  const all = useNetworks()
  const online = useModel(({ network }) => network.online)
  if (all && all.length < 2)
    return (
      <Empty icon={warn} fact={t.noOther}>
        {t.noOtherNote}
      </Empty>
    )
  const found = all?.filter(({ name }) => name.toLowerCase().includes(wanted.toLowerCase()))
  return (
    <div className="layout-stack">
      <SearchField label={t.search} text={typed} onText={setTyped} testId="network-search" />
      {!online && <Note>{t.offline}</Note>}
      {!found ? (
        <div aria-busy="true">
          <SkeletonRow width={64} />
          <SkeletonRow width={96} />
          <SkeletonRow width={140} />
        </div>
      ) : found.length === 0 ? (
        <Empty icon={warn} fact={t.noneNamed(wanted)}>
          {t.noneNote}
        </Empty>
      ) : (
        <ScrollArea>
          {found.map(network => (
            <NetworkRow key={network.caip2} network={network} />
          ))}
        </ScrollArea>
      )}
      <p className="text-fine">
        {t.mayLack}{' '}
        <button
          type="button"
          className="link"
          data-testid="network-help"
          onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'WhatIsANetwork' } } })}
        >
          {whatIsANetwork}
        </button>
      </p>
    </div>
  )
}

/** @returns the text as it was when nothing had been typed for `debounceMs` */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), debounceMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
