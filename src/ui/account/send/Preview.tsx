import { own } from '../../../runtime/schema/own.ts'
import { solDecimals } from '../../../events/values/solana/fees.ts'
import { formatAmount } from '../../../events/values/amount.ts'
import { type BuiltOrder, builtOf, isAsked, isDead, type SendOrder } from '../../../events/subjects/order/order.ts'
import { ownSend } from '../../../events/subjects/order/sends.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Empty } from '../../kit/feedback/Empty.tsx'
import { Note } from '../../kit/feedback/Note.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { down, info } from '../../kit/icons/icons.ts'
import { Address } from '../../kit/identity/Address.tsx'
import { Avatar } from '../../kit/identity/Avatar.tsx'
import { useModel, useSurroundings } from '../../react.tsx'
import { amountsIn } from '../../texts/amounts.ts'
import { basics } from '../../texts/basics/en.ts'
import { useLanguage, useTexts } from '../../texts/language.tsx'
import { numbersIn } from '../../texts/numbers.ts'
import { sendArea } from '../../texts/send/en.ts'
import { dollarsOf } from '../holdings/decimal.ts'
import { useNetworkName } from '../networks/NetworkChip.tsx'
import { type Sendable, worthOf } from './sendable.ts'
import { TokenMark } from './TokenMark.tsx'
import { useSentToken } from './useSentToken.ts'

/** The transfer as it was built, once more before the wallet is asked. */
export function Preview() {
  const order = useModel(ownSend)
  const built = order && builtOf(order)
  if (!order || !built || isDead(order)) return <Gone />
  return <Review order={order} built={built} />
}

/** It was given up, here or in another tab. */
function Gone() {
  const { dispatch } = useSurroundings()
  const t = useTexts(sendArea)
  return (
    <Empty
      icon={info}
      fact={t.gone}
      action={
        <Button size="small" data-testid="send-back" onClick={() => dispatch({ type: 'screen.back', data: {} })}>
          {t.back}
        </Button>
      }
    >
      {t.goneNote}
    </Empty>
  )
}

function Review({ order, built }: { order: SendOrder; built: BuiltOrder }) {
  const { dispatch, command } = useSurroundings()
  const t = useTexts(sendArea)
  const { cancel } = useTexts(basics)
  const { orderId, send } = order
  const isWaiting = order.phase === 'pressAwaited'
  const press = () => {
    if (isWaiting) command({ type: 'order.continue', data: { orderId } })
    dispatch({ type: 'screen.shown', data: { screen: { name: 'WalletSendConfirmed' } } })
  }
  return (
    <div data-testid="send-preview" data-phase={order.phase}>
      <Pair order={order} />
      <dl className="send-facts">
        <div>
          <dt>{t.address}</dt>
          <dd data-testid="send-to">
            <Address value={send.to} />
          </dd>
        </div>
        <Costs order={order} built={built} />
      </dl>
      <Note {...(built.unused && { tone: 'warn' as const })} data-testid="send-warning">
        {[built.unused ? t.unused : [], built.creates ? t.newAccount : [], t.readAgain].flat().join(' ')}
      </Note>
      <div className="layout-two layout-above">
        <Button size="big" data-testid="send-cancel" onClick={() => dispatch({ type: 'screen.back', data: {} })}>
          {cancel}
        </Button>
        <Button kind="primary" size="big" busy={!isWaiting && !isAsked(order)} data-testid="send-press" onClick={press}>
          {isAsked(order) ? t.showTransfer : t.send}
        </Button>
      </div>
    </div>
  )
}

function Pair({ order }: { order: SendOrder }) {
  const t = useTexts(sendArea)
  const language = useLanguage()
  const token = useSentToken(order)
  const { units, send } = order
  const worth = dollarsOf(worthOf(formatAmount(units, send.decimals, { group: false }), token) ?? '')
  return (
    <>
      <div className="send-pair">
        <div>
          <span className="text-hint">{t.send}</span>
          <b
            className="text-figures"
            data-testid="send-figure"
          >{`${amountsIn(language)(units, send.decimals)} ${token.symbol}`}</b>
          {worth && (
            <span className="text-hint">{numbersIn(language).moneyText(`${worth.dollars}.${worth.cents}`)}</span>
          )}
        </div>
        <TokenMark token={token} />
      </div>
      <div className="send-arrow">
        <Icon path={down} small />
      </div>
      <div className="send-pair">
        <div>
          <span className="text-hint">{t.to}</span>
          <b>
            <Address value={send.to} short />
          </b>
        </div>
        <Avatar address={send.to} size={36} />
      </div>
    </>
  )
}

function Costs({ order, built }: { order: SendOrder; built: BuiltOrder }) {
  const t = useTexts(sendArea)
  const language = useLanguage()
  const token = useSentToken(order)
  const network = useNetworkName()
  const lamports = useModel(model => own(model.balance, order.account)?.amounts.SOL)
  const sol = (units: string) => `${amountsIn(language)(units, solDecimals)} SOL`
  const { creates, fee } = built
  const stays = staysOf(order, built, token, lamports)
  return (
    <>
      {network !== undefined && (
        <div>
          <dt>{t.network}</dt>
          <dd>{network}</dd>
        </div>
      )}
      <div>
        <dt>{t.fee}</dt>
        <dd className="text-figures" data-testid="send-fee">
          {sol(fee)}
        </dd>
      </div>
      {creates && (
        <div>
          <dt>{t.rent}</dt>
          <dd className="text-figures" data-testid="send-rent">
            {sol(creates.rent)}
          </dd>
        </div>
      )}
      {stays !== undefined && (
        <div>
          <dt>{t.stays}</dt>
          <dd
            className="text-figures"
            data-testid="send-stays"
          >{`${amountsIn(language)(stays, token.decimals)} ${token.symbol}`}</dd>
        </div>
      )}
    </>
  )
}

/** @returns base units that are left after the transfer; of SOL without fee and rent. Undefined while unknown */
function staysOf(
  { asset, units }: SendOrder,
  { fee, creates }: BuiltOrder,
  token: Sendable,
  lamports: string | undefined,
): string | undefined {
  const held = asset === 'SOL' ? lamports : token.units
  if (held === undefined) return undefined
  const costs = asset === 'SOL' ? BigInt(fee) + BigInt(creates?.rent ?? '0') : 0n
  const left = BigInt(held) - BigInt(units) - costs
  return left < 0n ? undefined : String(left)
}
