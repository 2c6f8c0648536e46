/** The worker of one problem report: gets the plain text, posts the redacted one. It has no drivers. */
import { type Failure, toFailure } from '../../../runtime/failure.ts'
import { redactText } from './redactText.ts'

/** The redactor's one answer. */
export type Redacting = { k: 'redacted'; text: string } | { k: 'failed'; failure: Failure }

const page = self as unknown as { postMessage(said: Redacting): void }

addEventListener('message', (event: MessageEvent<string>) => {
  redactText(event.data, { key: crypto.randomUUID(), build: import.meta.env.VITE_CORE_BUILD ?? '' }).then(
    text => page.postMessage({ k: 'redacted', text }),
    (fault: unknown) => page.postMessage({ k: 'failed', failure: toFailure(fault) }),
  )
})
