import { useEffect } from 'react'
import { Note } from '../kit/feedback/Note.tsx'
import { useModel } from '../react.tsx'
import { useTexts } from '../texts/language.tsx'
import { basics } from '../texts/basics/en.ts'
import { relayArea } from '../texts/relay/en.ts'
import { objectionOf, type RelayWords, relayWords } from './relayWords.ts'

/** Trouble with the relay, beside a code or a pending one; null without trouble. A refusal also goes to the console, for developers. */
export function RelayNote({ hasCode, onAgain }: { hasCode: boolean; onAgain: () => void }) {
  const relay = useModel(model => model.relay)
  const online = useModel(model => model.network.online)
  const words = relayWords(useTexts(relayArea), relay, online, hasCode)
  const objection = relay.phase === 'refused' ? objectionOf(relay.failure) : undefined
  useEffect(() => {
    if (objection !== undefined) console.error(objection)
  }, [objection])
  return words ? <Trouble words={words} onAgain={onAgain} /> : null
}

/** States the trouble and offers a retry where it can help. */
export function Trouble({ words, onAgain }: { words: RelayWords; onAgain: () => void }) {
  const { tryAgain } = useTexts(basics)
  return (
    <Note {...(words.tone ? { tone: words.tone } : {})} className="layout-below" live="status">
      {words.text}{' '}
      {words.again && (
        <button type="button" className="link" onClick={onAgain}>
          {tryAgain}
        </button>
      )}
    </Note>
  )
}
