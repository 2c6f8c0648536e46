import { useEffect, useRef } from 'react'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import {
  askOf,
  builtOf,
  isOpen,
  orderSignatureOf,
  type SendOrder,
  walletOf,
} from '../../../events/subjects/order/order.ts'
import { standingSend } from '../../../events/subjects/order/sends.ts'
import { explorerUrl, networkOfGenesis } from '../../../events/values/networks.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Ring } from '../../kit/figures/Ring.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { info, out } from '../../kit/icons/icons.ts'
import { Address } from '../../kit/identity/Address.tsx'
import { OpenWallet } from '../../OpenWallet.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { amountsIn } from '../../texts/amounts.ts'
import { basics } from '../../texts/basics/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { sendArea } from '../../texts/send/en.ts'
import { useNotice } from '../../notices/useNotice.ts'
import { stateOf } from './sendWords.ts'
import { TokenMark } from './TokenMark.tsx'
import { useSentToken } from './useSentToken.ts'

/** How the transfer stands, from the wallet's prompt to its end. */
export function Confirmed() {
  const order = useModel(standingSend)
  return order ? <Standing key={order.orderId} order={order} /> : <None />
}

function None() {
  const { dispatch } = useSurroundings()
  const t = useTexts(sendArea)
  const toForm = () => dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSend' } } })
  return (
    <Empty
      icon={info}
      fact={t.putAway}
      action={
        <Button size="small" onClick={toForm}>
          {t.back}
        </Button>
      }
    >
      {t.putAwayNote}
    </Empty>
  )
}

function Standing({ order }: { order: SendOrder }) {
  const t = useTexts(sendArea)
  const language = useLanguage()
  const token = useSentToken(order)
  const { title, sentence, came } = stateOf(t, order, token.symbol, language)
  const built = builtOf(order)
  useStarted(order)
  const isWaiting = order.phase === 'awaitingSignature'
  const asked = isWaiting ? askOf(order)?.askId : undefined
  const isByRelay = useModel(({ request }) => asked !== undefined && (request[asked]?.phase ?? 'ended') !== 'ended')
  return (
    <div data-testid="send-status" data-phase={order.phase}>
      <Ring came={came}>
        <TokenMark token={token} size="large" />
      </Ring>
      <div className="ring-words" role="status">
        <h3>{title}</h3>
        <p>{sentence}</p>
      </div>
      <dl className="send-facts">
        <div>
          <dt>{t.send}</dt>
          <dd className="text-figures">{`${amountsIn(language)(order.units, order.send.decimals)} ${token.symbol}`}</dd>
        </div>
        <div>
          <dt>{t.to}</dt>
          <dd>
            <Address value={order.send.to} short />
          </dd>
        </div>
        {built && (
          <div>
            <dt>{t.fee}</dt>
            <dd className="text-figures">{`${amountsIn(language)(built.fee, solDecimals)} SOL`}</dd>
          </div>
        )}
        {built?.creates && (
          <div>
            <dt>{t.rent}</dt>
            <dd className="text-figures">{`${amountsIn(language)(built.creates.rent, solDecimals)} SOL`}</dd>
          </div>
        )}
      </dl>
      {isWaiting && <p className="text-hint">{t.ifCancelled(walletOf(order))}</p>}
      {['signed', 'sending', 'seen'].includes(order.phase) && <p className="text-hint">{t.canClose}</p>}
      <div className="send-acts">
        {isByRelay && asked !== undefined && <OpenWallet requestId={asked} />}
        <Explorer order={order} />
        <Steps order={order} symbol={token.symbol} />
      </div>
    </div>
  )
}

/** Tells once that the wallet gave its signature, of the transfer that was asked for here. */
function useStarted({ phase }: SendOrder): void {
  const notice = useNotice()
  const { started } = useTexts(sendArea)
  const before = useRef(phase)
  useEffect(() => {
    const wasAsked = before.current === 'awaitingSignature'
    before.current = phase
    if (wasAsked && (phase === 'signed' || phase === 'sending' || phase === 'seen')) notice('success', started)
    // oxlint-disable-next-line react/exhaustive-deps -- once for each phase
  }, [phase])
}

/** The one step that leads on; a wallet that does not answer can be left. */
function Steps({ order, symbol }: { order: SendOrder; symbol: string }) {
  const { command, dispatch } = useSurroundings()
  const t = useTexts(sendArea)
  const { cancel, close, tryAgain } = useTexts(basics)
  const language = useLanguage()
  const { orderId } = order
  const { next } = stateOf(t, order, symbol, language)
  const toAccount = () => dispatch({ type: 'screen.opened', data: { screen: { name: 'Account' } } })
  const putAway = () => {
    if (!isOpen(order) || next === 'read') command({ type: 'order.dismiss', data: { orderId } })
  }
  const again = () => {
    putAway()
    toAccount()
    dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSend' } } })
  }
  const end = () => {
    putAway()
    toAccount()
  }
  const abandon = () => command({ type: 'order.abandon', data: { orderId } })
  if (next === 'approve')
    return (
      <>
        <Button
          kind="primary"
          size="big"
          wide
          data-testid="send-continue"
          onClick={() => command({ type: 'order.continue', data: { orderId } })}
        >
          {t.approveIn(walletOf(order))}
        </Button>
        <Button wide data-testid="send-give-up" onClick={abandon}>
          {cancel}
        </Button>
      </>
    )
  if (next === 'again')
    return (
      <Button kind="primary" size="big" wide data-testid="send-again" onClick={again}>
        {tryAgain}
      </Button>
    )
  if (next === 'done' || next === 'read')
    return (
      <Button kind="primary" size="big" wide data-testid="send-done" onClick={end}>
        {next === 'done' ? t.done : t.haveRead}
      </Button>
    )
  if (order.phase === 'awaitingSignature')
    return (
      <Button wide data-testid="send-give-up" onClick={abandon}>
        {cancel}
      </Button>
    )
  return (
    <Button wide data-testid="send-close" onClick={() => dispatch({ type: 'screen.closed', data: {} })}>
      {close}
    </Button>
  )
}

function Explorer({ order }: { order: SendOrder }) {
  const { config } = useSurroundings()
  const { explorer } = useTexts(sendArea)
  const signature = orderSignatureOf(order)
  const genesis = useModel(({ network }) => (network.phase === 'identified' ? network.genesisHash : undefined))
  if (signature === undefined || genesis === undefined) return null
  return (
    <ExternalLink
      className="button is-wide"
      href={explorerUrl(networkOfGenesis(genesis), { tx: signature }, config.solanaRpcUrl)}
    >
      <Icon path={out} small />
      {explorer}
    </ExternalLink>
  )
}
