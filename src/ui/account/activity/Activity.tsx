import { Fragment, type ReactNode, useEffect, useEffectEvent, useRef } from 'react'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { own } from '../../../runtime/schema/own.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { SkeletonRow } from '../../kit/feedback/SkeletonRow.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { clockIcon, refresh, swap, warn } from '../../kit/icons/icons.ts'
import { Address } from '../../kit/identity/Address.tsx'
import { Logo } from '../../kit/identity/Logo.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { decimalsIn } from '../../texts/amounts.ts'
import { activityArea, type ActivityTexts } from '../../texts/activity/en.ts'
import { basics } from '../../texts/basics/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { activityIcon, receiveIcon, sendIcon } from '../accountIcons.ts'
import { activityOf } from './activity.ts'
import { ExplorerRow } from '../ExplorerRow.tsx'
import { ReceiveTokens } from '../receive/ReceiveTokens.tsx'
import { dayText } from './times.ts'
import { useHistory } from '../useAccountData.ts'
import { useAccountExplorer } from '../useAccountExplorer.ts'

type Month = ReturnType<typeof activityOf>[number]
type Item = Month['items'][number]
type History = NonNullable<ReturnType<typeof useHistory>>

/** Rows that stand for the list while it is read. */
const placeholders = [96, 64, 140, 96, 64, 140, 96] as const
/** Items under the account; the whole list has a screen of its own. */
const recentItems = 4

/** Every transaction of the account on the active network that the history service lists, by month. */
export function Transactions() {
  return (
    <Known waiting={placeholders}>
      {history => (
        <>
          <Months history={history} />
          {history.isLoading && <SkeletonRow />}
          {history.older && <NearEnd key={history.transactions.length} onNear={history.older} />}
          {history.hasFailed && <Failed onAgain={history.again} />}
          {history.isCut && <Cut />}
        </>
      )}
    </Known>
  )
}

/** The newest transactions. */
export function RecentActivity() {
  return <Known waiting={placeholders.slice(0, 2)}>{history => <Months history={history} most={recentItems} />}</Known>
}

/** A list of transactions, or in words what stands in its place. */
function Known({
  waiting,
  children,
}: {
  waiting: readonly (64 | 96 | 140)[]
  children: (history: History) => ReactNode
}) {
  const t = useTexts(activityArea)
  const online = useModel(({ network }) => network.online)
  const history = useHistory()
  if (!history) return <Elsewhere />
  if (history.transactions.length > 0) return <div data-testid="transactions">{children(history)}</div>
  if (history.hasFailed) return <Failed onAgain={history.again} />
  if (!online && history.isUnread)
    return (
      <Empty icon={warn} fact={t.offline}>
        {t.offlineNote}
      </Empty>
    )
  if (history.isLoading || history.isUnread || history.older)
    return (
      <div aria-busy="true">
        <span className="text-hidden">{t.reading}</span>
        {waiting.map((width, at) => (
          <SkeletonRow key={at} width={width} />
        ))}
        {history.older && <NearEnd onNear={history.older} />}
      </div>
    )
  return (
    <Empty icon={activityIcon} fact={t.none} action={<ReceiveTokens />}>
      {t.noneNote}
    </Empty>
  )
}

/** No service lists this network's transactions. */
function Elsewhere() {
  const t = useTexts(activityArea)
  const account = useModel(model => activeConnection(model)?.account ?? '')
  return (
    <>
      <Empty icon={activityIcon} fact={t.notListed}>
        {t.notListedNote}
      </Empty>
      <ExplorerRow account={account} />
    </>
  )
}

function Cut() {
  const t = useTexts(activityArea)
  return <p className="text-hint activity-end">{t.older}</p>
}

function Failed({ onAgain }: { onAgain: () => void }) {
  const t = useTexts(activityArea)
  const { tryAgain } = useTexts(basics)
  return (
    <Empty
      icon={warn}
      fact={t.failed}
      action={
        <Button size="small" icon={<Icon path={refresh} small />} data-testid="activity-again" onClick={onAgain}>
          {tryAgain}
        </Button>
      }
    >
      {t.failedNote}
    </Empty>
  )
}

/** Asks for more once the end of the list is in view. */
function NearEnd({ onNear }: { onNear: () => void }) {
  const place = useRef<HTMLDivElement>(null)
  const near = useEffectEvent(onNear)
  useEffect(() => {
    if (!place.current) return
    const watch = new IntersectionObserver(seen => seen.some(({ isIntersecting }) => isIntersecting) && near())
    watch.observe(place.current)
    return () => watch.disconnect()
  }, [])
  return <div ref={place} data-testid="activity-more" className="activity-more" />
}

function Months({ history: { transactions }, most = Number.POSITIVE_INFINITY }: { history: History; most?: number }) {
  const { now } = useSurroundings()
  const language = useLanguage()
  const months = activityOf(transactions.slice(0, most), { language, now: now() })
  return months.map(({ key, title, items }) => (
    <section key={key} aria-label={title}>
      <h3 className="account-heading">{title}</h3>
      <ul>
        {items.map(item => (
          <li key={item.key}>
            <Transaction item={item} />
          </li>
        ))}
      </ul>
    </section>
  ))
}

function Transaction({ item }: { item: Item }) {
  const t = useTexts(activityArea)
  const language = useLanguage()
  const href = useAccountExplorer()({ tx: item.hash })
  const decimals = decimalsIn(language)
  const { lines, status } = item
  const amounts = lines.flatMap(line => (line.kind === 'amount' ? [line] : []))
  const addresses = lines.flatMap(line => (line.kind === 'address' ? [line.address] : []))
  const inside = (
    <>
      <Logo name="" tint="none">
        <Icon path={iconOf(item)} />
      </Logo>
      <span className="row-name">
        {nameOf(t, item)}
        <span className="row-sub">
          {/* An arrow is not mirrored: in Arabic the two would swap places around it */}
          <bdi dir="ltr">
            {addresses.map((address, at) => (
              <Fragment key={at}>
                {at > 0 && ' → '}
                <Address value={address} short />
              </Fragment>
            ))}
          </bdi>
          {addresses.length > 0 && ', '}
          {dayText(item.at, { language })}, {t.states[status]}
        </span>
      </span>
      {amounts.length > 0 && (
        <span className="row-end text-figures activity-amounts">
          {amounts.map(({ sign, amount, of }, at) => (
            <bdi key={at}>
              {sign}
              {decimals(amount)} {of}
            </bdi>
          ))}
        </span>
      )}
    </>
  )
  return href !== undefined && item.hash !== '' ? (
    <ExternalLink className="row" href={href} data-testid="transaction">
      {inside}
    </ExternalLink>
  ) : (
    <div className="row is-flat" data-testid="transaction">
      {inside}
    </div>
  )
}

/** The kind of the transaction; of an unknown kind, the way that the tokens went. */
function nameOf(t: ActivityTexts, { operation, direction }: Item): string {
  return own<string>(t.operations, operation) ?? (direction ? t.directions[direction] : t.transaction)
}

function iconOf({ status, direction, pictures }: Item): string {
  if (status === 'failed') return warn
  if (status === 'pending') return clockIcon
  if (pictures.length > 1 || direction === 'self') return swap
  if (direction === undefined) return activityIcon
  return direction === 'in' ? receiveIcon : sendIcon
}
