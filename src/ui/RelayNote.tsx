import { Note } from './kit/Note.tsx'
import { useModel } from './react.tsx'
import { type RelayWords, relayWords } from './relayWords.ts'

/** What stands between this page and the relay, where a code is shown or on its way; nothing when all is well. */
export function RelayNote({ hasCode, onAgain }: { hasCode: boolean; onAgain: () => void }) {
  const relay = useModel(model => model.relay)
  const online = useModel(model => model.network.online)
  const words = relayWords(relay, online, hasCode)
  return words ? <Trouble words={words} onAgain={onAgain} /> : null
}

/** A sentence on what is wrong, and a way to try again where that can help. */
export function Trouble({ words, onAgain }: { words: RelayWords; onAgain: () => void }) {
  return (
    <Note {...(words.tone ? { tone: words.tone } : {})} className="gap-b" live="status">
      {words.text}{' '}
      {words.again && (
        <button type="button" className="link" onClick={onAgain}>
          Try again
        </button>
      )}
    </Note>
  )
}
