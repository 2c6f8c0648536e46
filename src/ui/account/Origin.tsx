import { type Connection, walletName } from '../../events/subjects/connection.ts'
import { shield } from '../kit/icons/icons.ts'
import { Note } from '../kit/feedback/Note.tsx'
import { useModel } from '../react.tsx'

/**
 * The attestation of a wallet's origin beside the page it claims as its own. Advisory: nothing depends on it. Without an
 * attestation it shows nothing.
 */
export function Origin({ connection }: { connection: Connection }) {
  const { sessionTopic = '' } = connection
  const validation = useModel(model => model.session[sessionTopic]?.validation)
  const url = useModel(model => model.session[sessionTopic]?.peer.url)
  const byLink = useModel(model => model.session[sessionTopic]?.transport === 'link')
  if (validation === undefined || validation === 'UNKNOWN') return null
  const host = hostOf(url)
  if (validation === 'VALID' && host !== undefined) {
    return (
      <Note tone="good" icon={shield} className="origin">
        <b>From {host}.</b> {byLink ? 'Its link leads to' : 'Its messages come from'} the page it names.
      </Note>
    )
  }
  const name = walletName(connection)
  if (validation === 'THREAT') {
    return (
      <Note tone="bad" className="origin">
        <b>Known for fraud.</b> {name}’s messages come from a page that the verify service lists as a scam. Do not pay
        with this wallet.
      </Note>
    )
  }
  return (
    <Note tone="warn" className="origin">
      <b>Not from {host ?? 'a page it names'}.</b>{' '}
      {host === undefined ? `${name} names no page of its own.` : elsewhere(name, byLink)} Pay only if you know this
      wallet.
    </Note>
  )
}

function elsewhere(name: string, byLink: boolean): string {
  return `${name} names that page, but its ${byLink ? 'link leads' : 'messages come from'} elsewhere.`
}

/** @returns host and port in ASCII, so that no letter imitates another; undefined for anything but an http(s) address */
function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).host
}
