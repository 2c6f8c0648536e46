import { type Connection, walletName } from '../../../events/subjects/wallet/connection.ts'
import { shield } from '../../kit/icons/icons.ts'
import { Note } from '../../kit/feedback/Note.tsx'
import { useModel } from '../../react.tsx'
import { accountArea, type AccountTexts } from '../../texts/account/en.ts'
import { useTexts } from '../../texts/language.tsx'

/**
 * The attestation of a wallet's origin beside the page it claims as its own. Advisory: nothing depends on it. Without an
 * attestation it shows nothing.
 */
export function Origin({ connection }: { connection: Connection }) {
  const { sessionTopic = '' } = connection
  const t = useTexts(accountArea)
  const validation = useModel(model => model.session[sessionTopic]?.validation)
  const url = useModel(model => model.session[sessionTopic]?.peer.url)
  const byLink = useModel(model => model.session[sessionTopic]?.transport === 'link')
  if (validation === undefined || validation === 'UNKNOWN') return null
  const host = hostOf(url)
  if (validation === 'VALID' && host !== undefined) {
    return (
      <Note tone="good" icon={shield} className="origin">
        <b>{t.fromHost(host)}</b> {byLink ? t.linkFits : t.messagesFit}
      </Note>
    )
  }
  const name = walletName(connection)
  if (validation === 'THREAT') {
    return (
      <Note tone="bad" className="origin">
        <b>{t.fraud}</b> {t.fraudNote(name)}
      </Note>
    )
  }
  return (
    <Note tone="warn" className="origin">
      <b>{host === undefined ? t.notFromPage : t.notFromHost(host)}</b>{' '}
      {host === undefined ? t.namesNoPage(name) : elsewhere(t, name, byLink)} {t.payIfKnown}
    </Note>
  )
}

function elsewhere(t: AccountTexts, name: string, byLink: boolean): string {
  return byLink ? t.linkElsewhere(name) : t.messagesElsewhere(name)
}

/** @returns host and port in ASCII, so that no letter imitates another; undefined for anything but an http(s) address */
function hostOf(url: string | undefined): string | undefined {
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined
  return new URL(url).host
}
