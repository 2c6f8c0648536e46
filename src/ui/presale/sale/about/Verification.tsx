import type { ReactNode } from 'react'
import { type Books, booksDiffer, type LedgerView } from '../../../../events/subjects/sale/ledger.ts'
import type { Terms } from '../../../../events/sale/terms/termsShape.ts'
import { passingCodes } from '../../../../events/passingCodes.ts'
import type { Failure } from '../../../../runtime/failure.ts'
import { classes } from '../../../kit/classes.ts'
import { Button } from '../../../kit/controls/Button.tsx'
import { Meter } from '../../../kit/figures/Meter.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { shield, warn } from '../../../kit/icons/icons.ts'
import { checkIcon } from '../../../kit/icons/iconsOfStart.ts'
import { Address } from '../../../kit/identity/Address.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { ledgerArea, type LedgerTexts } from '../../../texts/ledger/en.ts'
import { useTexts } from '../../../texts/language.tsx'
import { useSaleWords } from '../../saleWords.ts'

type Running = Extract<LedgerView, { phase: 'progressed' }>
type Computed = Extract<LedgerView, { phase: 'computed' }>

/** Recomputes the sale's books in the visitor's own worker, and says whether they are the team's. */
export function Verification({ terms }: { terms: Terms }) {
  const t = useTexts(ledgerArea)
  const ledger = useModel(model => model.ledger)
  return (
    <div className="verification" data-testid="verification">
      {ledger?.phase === 'progressed' ? (
        <Going ledger={ledger} />
      ) : ledger?.phase === 'computed' ? (
        <Verdict ledger={ledger} terms={terms} />
      ) : (
        <>
          <Words title={ledger?.phase === 'failed' ? t.failed : t.title} tone={ledger?.phase === 'failed' && 'bad'}>
            {ledger?.phase === 'failed'
              ? reasonOf(t, ledger.failure)
              : ledger?.phase === 'stopped'
                ? t.stopped
                : t.about}
          </Words>
          <Start label={ledger ? t.again : t.verify} isFirst={!ledger} />
        </>
      )}
      {!(ledger?.phase === 'computed' && ledger.published) && <Published terms={terms} />}
    </div>
  )
}

function reasonOf(t: LedgerTexts, { code }: Failure): string {
  if (code === 'rpc_lying') return t.contradicts
  if (code === 'terms_invalid') return t.version
  return passingCodes.has(code) ? t.silent : t.other
}

function Words(props: { title: string; tone?: 'good' | 'bad' | false; children: ReactNode }) {
  const { title, tone, children } = props
  return (
    <div className="verification-words" role="status">
      <b className={classes(tone && `text-${tone}`)}>
        {tone && <Icon path={tone === 'good' ? checkIcon : warn} small />}
        {title}
      </b>
      <p>{children}</p>
    </div>
  )
}

function Start({ label, isFirst }: { label: string; isFirst: boolean }) {
  const { command } = useSurroundings()
  const start = () => command({ type: 'ledger.verify', data: { act: 'start' } })
  return (
    <div className="verification-acts">
      {isFirst ? (
        <Button kind="primary" icon={<Icon path={shield} small />} onClick={start}>
          {label}
        </Button>
      ) : (
        <Button kind="outline" size="small" onClick={start}>
          {label}
        </Button>
      )}
    </div>
  )
}

function Going({ ledger: { listed, judged, paused } }: { ledger: Running }) {
  const t = useTexts(ledgerArea)
  const { command } = useSurroundings()
  const { figures } = useSaleWords()
  const steer = (act: 'pause' | 'resume' | 'stop') => () => command({ type: 'ledger.verify', data: { act } })
  const [count, total] = [judged, listed].map(number => figures.amount(String(number), 0)) as [string, string]
  const isListing = judged === 0
  const title = paused ? t.paused : isListing ? t.listing : t.reading
  return (
    <>
      <div className="verification-words">
        <b>{title}</b>
        <p>{paused ? t.pausedAt(count, total) : isListing ? t.listed(total) : t.read(count, total)}</p>
        <Meter look="wide" percent={listed === 0 ? 0 : (judged * 100) / listed} label={title} />
      </div>
      <div className="verification-acts">
        <Button kind="outline" size="small" onClick={steer(paused ? 'resume' : 'pause')}>
          {paused ? t.goOn : t.pause}
        </Button>
        <Button kind="outline" size="small" onClick={steer('stop')}>
          {t.stop}
        </Button>
      </div>
    </>
  )
}

const told = ['raised', 'tokens', 'orders', 'buyers', 'refundsOwed'] as const
const shown = [...told, 'hash'] as const
const shownWithOutflows = [...told, 'outflows', 'hash'] as const
type Told = Pick<Books, (typeof told)[number]>
type Figures = Books & Pick<Computed, 'outflows'>

/** The figures of the team's newest checkpoint, while nothing here has compared them. */
function Published({ terms }: { terms: Terms }) {
  const t = useTexts(ledgerArea)
  const { figures } = useSaleWords()
  const { checkpoint, counts } = useModel(model => model.sale.notices) ?? {}
  if (!checkpoint || !counts) return null
  const { raised, tokens = '0' } = checkpoint
  const books: Told = { raised, tokens, ...counts }
  return (
    <table className="verification-figures" data-testid="published">
      <caption>{t.published(figures.momentOf(checkpoint.time))}</caption>
      <Rows names={told} books={books} terms={terms} />
    </table>
  )
}

function Rows<Name extends keyof Figures>(props: { names: readonly Name[]; books: Pick<Figures, Name>; terms: Terms }) {
  const { names, books, terms } = props
  const t = useTexts(ledgerArea)
  return (
    <tbody>
      {names.map(name => (
        <tr key={name}>
          <th scope="row">{t.figures[name as keyof LedgerTexts['figures']]}</th>
          <td>
            <Figure name={name} value={books[name]} terms={terms} />
          </td>
        </tr>
      ))}
    </tbody>
  )
}

function Verdict({ ledger, terms }: { ledger: Computed; terms: Terms }) {
  const t = useTexts(ledgerArea)
  const { figures } = useSaleWords()
  const { published, recomputed, uncompared, transactions, time } = ledger
  const different = booksDiffer({ ledger })
  const count = figures.amount(String(transactions), 0)
  return (
    <>
      {published && recomputed ? (
        <Words title={different.length > 0 ? t.differs : t.matches} tone={different.length > 0 ? 'bad' : 'good'}>
          {(different.length > 0 ? t.differsFact : t.matchesFact)(figures.momentOf(ledger.publishedTime ?? time))}
        </Words>
      ) : (
        <Words title={t.computed}>{uncompared ? uncomparedWords(t, uncompared) : t.nothingPublished}</Words>
      )}
      <Start label={t.again} isFirst={false} />
      {published && recomputed && different.length > 0 && (
        <table className="verification-figures">
          <tbody>
            {different.map(name => (
              <tr key={name}>
                <th scope="row">{t.figures[name as keyof LedgerTexts['figures']]}</th>
                <td>
                  <span className="text-muted">{t.team}</span>{' '}
                  <Figure name={name} value={published[name]} terms={terms} />
                </td>
                <td>
                  <span className="text-muted">{t.chain}</span>{' '}
                  <Figure name={name} value={recomputed[name]} terms={terms} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      <table className="verification-figures">
        <caption>{t.upTo(figures.momentOf(time), transactions, count)}</caption>
        <Rows names={ledger.outflows ? shownWithOutflows : shown} books={ledger} terms={terms} />
      </table>
    </>
  )
}

function uncomparedWords(t: LedgerTexts, { code, facts }: Failure): string {
  if (facts?.rule === 'BEHIND') return t.behind
  return code === 'bad_response' ? t.unannounced : t.fileMissing
}

/** One figure of the books in words. */
function Figure({ name, value, terms }: { name: keyof Figures; value: Figures[keyof Figures]; terms: Terms }) {
  const t = useTexts(ledgerArea)
  const { figures } = useSaleWords()
  if (typeof value === 'object') {
    const amounts = terms.assets.flatMap(asset => {
      const units = value[asset.symbol] ?? '0'
      return units === '0' ? [] : figures.paid(units, asset)
    })
    return amounts.join(', ') || t.none
  }
  const text = String(value)
  switch (name) {
    case 'hash':
      return <Address value={text} />
    case 'raised':
    case 'pos':
      return figures.exactDollars(text)
    case 'tokens':
      return `${figures.tokens(text, terms)} ${terms.token.symbol}`
    default:
      return figures.amount(text, 0)
  }
}
