import { useState } from 'react'
import type { SaleView } from '../../../../events/subjects/sale/sale.ts'
import { Button } from '../../../kit/controls/Button.tsx'
import { ExternalLink } from '../../../kit/controls/ExternalLink.tsx'
import { Note } from '../../../kit/feedback/Note.tsx'
import { Icon } from '../../../kit/icons/Icon.tsx'
import { out, warn } from '../../../kit/icons/icons.ts'
import { Swatch } from '../../../kit/identity/Swatch.tsx'
import { useModel, useSurroundings } from '../../../react.tsx'
import { feedArea } from '../../../texts/feed/en.ts'
import { useTexts } from '../../../texts/language.tsx'
import { timeText } from '../figures.ts'
import type { KnownSale } from '../saleStatus.ts'
import { useExplorer } from '../useExplorer.ts'
import { Section } from '../../Section.tsx'
import { useSaleWords } from '../../saleWords.ts'

type Line = NonNullable<SaleView['feed']>['lines'][number]

/** The newest payments as a node lists them, unverified. Each reading is a press; nothing comes or moves by itself. */
export function Feed({ known }: { known: KnownSale }) {
  const t = useTexts(feedArea)
  const { figures } = useSaleWords()
  const { command } = useSurroundings()
  const feed = useModel(model => model.sale.feed)
  /** the feed that stood there at the press; another one is its answer */
  const [pressed, setPressed] = useState<{ feed: typeof feed }>()
  const isReading = pressed !== undefined && pressed.feed === feed
  const read = () => {
    setPressed({ feed })
    command({ type: 'sale.readFeed', data: {} })
  }
  const isRead = feed !== undefined && feed.readAt > 0
  return (
    <Section id="feed" title={t.title} about={t.about}>
      <div className="feed" role="status">
        {feed?.failure && (
          <Note icon={warn} tone="warn">
            {feed.failure.code === 'rpc_lying' ? t.contradicts : t.failed}
          </Note>
        )}
        {isRead && (
          <p className="text-hint">
            {feed.lines.length === 0 && `${t.none} `}
            {t.asOf(figures.momentOf(feed.readAt))}
            {feed.other > 0 && ` ${t.other(feed.other, figures.amount(String(feed.other), 0))}`}
          </p>
        )}
      </div>
      {isRead && feed.lines.length > 0 && (
        <ul className="feed-lines">
          {feed.lines.map(line => (
            <FeedLine key={line.signature} line={line} known={known} />
          ))}
        </ul>
      )}
      <Button kind="outline" size="small" busy={isReading} onClick={read}>
        {isReading ? t.reading : isRead ? t.again : t.show}
      </Button>
    </Section>
  )
}

function FeedLine({ line, known: { terms } }: { line: Line; known: KnownSale }) {
  const t = useTexts(feedArea)
  const { sale, figures } = useSaleWords()
  const explorer = useExplorer()
  const { signature, paidAt, units, quoted } = line
  const asset = terms.assets.find(({ symbol }) => symbol === line.asset)
  if (!asset) return null
  return (
    <li data-testid="feed-line" data-signature={signature}>
      <span>
        {paidAt === undefined ? (
          t.noTime
        ) : (
          <>
            {figures.dayOf(paidAt)} <i>{timeText(paidAt)}</i>
          </>
        )}
      </span>
      <span>
        <b>{figures.paidNamed(units, asset, terms)}</b>{' '}
        {t.quoted(`${figures.tokens(BigInt(quoted), terms)} ${terms.token.symbol}`)}
      </span>
      <span className="feed-mark">
        <Swatch of="hatch" />
        {t.unverified}
      </span>
      <ExternalLink className="icon-button" href={explorer({ tx: signature })} aria-label={sale.inExplorer}>
        <Icon path={out} small />
      </ExternalLink>
    </li>
  )
}
