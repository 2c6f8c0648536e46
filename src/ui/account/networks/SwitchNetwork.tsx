import { useEffect, useEffectEvent, useState } from 'react'
import type { Model } from '../../../events/app.ts'
import { activeConnection } from '../../../events/subjects/wallet/activeConnection.ts'
import { walletName } from '../../../events/subjects/wallet/connection.ts'
import type { NetworkView } from '../../../events/subjects/service/network.ts'
import type { ScreenOf } from '../../../events/subjects/page/screen.ts'
import { shownScreen } from '../../../events/subjects/page/screenFold.ts'
import type { FailureCode } from '../../../runtime/failure.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Ring } from '../../kit/figures/Ring.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { refresh } from '../../kit/icons/icons.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { useQuiet } from '../../useQuiet.ts'
import { basics } from '../../texts/basics/en.ts'
import { networksArea, type NetworksTexts } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { networkName } from './networkChoice.ts'
import { useNetworkName } from './NetworkChip.tsx'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'

/** Screens from which this one is reached: they have no use after a switch. */
const passed: ReadonlySet<string> = new Set(['Networks', 'UnsupportedChain'])

/** A switch on its way, or refused; the press that opened this screen asked the core. It leaves once the network is active. */
export function SwitchNetwork({ screen: { caip2 } }: { screen: ScreenOf<'SwitchNetwork'> }) {
  const { store, config, dispatch, command } = useSurroundings()
  const t = useTexts(networksArea)
  const { tryAgain } = useTexts(basics)
  const change = useModel(({ network }) => network.change)
  const [tried, setTried] = useState<{ before: NetworkView['change']; count: number }>({ before: undefined, count: 0 })
  const isQuiet = useQuiet(tried.count)
  const isThere = useModel(({ network }) => network.offer?.active === caip2)
  const name = useModel(({ network }) => networkName(network, caip2, config))
  const here = useNetworkName() ?? t.unknown
  const wallet = useModel(walletOf) ?? ''
  const code = change?.caip2 === caip2 && change !== tried.before ? change.failure?.code : undefined
  const failed = code && refusalOf(t, code, { name, here, wallet })

  const leave = useEffectEvent(() => {
    dispatch({ type: 'screen.back', data: {} })
    if (passed.has(shownScreen(store.model())?.name ?? '')) dispatch({ type: 'screen.back', data: {} })
  })
  useEffect(() => {
    if (isThere) leave()
  }, [isThere])
  const again = () => {
    setTried({ before: change, count: tried.count + 1 })
    command({ type: 'network.switch', data: { caip2 } })
  }
  return (
    <>
      <Ring came={failed?.came}>
        <NetworkMark name={name} size="large" />
      </Ring>
      <div className="ring-words" role="status">
        <h3>{failed?.title ?? t.switchingTo(name)}</h3>
        <p>{failed?.text ?? (isQuiet ? t.takesLong : t.nothingSigned)}</p>
      </div>
      {(failed || isQuiet) && (
        <Button
          {...(failed && { kind: 'primary' })}
          wide
          icon={<Icon path={refresh} small />}
          data-testid="try-again"
          onClick={again}
        >
          {tryAgain}
        </Button>
      )}
    </>
  )
}

function walletOf(model: Model): string | undefined {
  const connection = activeConnection(model)?.connection
  return connection && walletName(connection)
}

type Refusal = { came: 'declined' | 'expired' | 'failed'; title: string; text: string }

/** @returns the words for a switch that did not happen; `here` is where the page stays */
function refusalOf(
  t: NetworksTexts,
  code: FailureCode,
  { name, here, wallet }: { name: string; here: string; wallet: string },
): Refusal {
  const stay = t.stillOn(here)
  switch (code) {
    case 'unsupported':
      return { came: 'declined', title: t.declined, text: `${t.walletLacks(wallet, name)} ${stay}` }
    case 'busy':
      return { came: 'expired', title: t.busy, text: `${t.busyNote} ${stay}` }
    case 'storage_down':
      return { came: 'failed', title: t.noStorage, text: `${t.noStorageNote} ${stay}` }
    case 'bad_input':
      return { came: 'failed', title: t.notFound, text: `${t.notFoundNote} ${stay}` }
    default:
      return { came: 'failed', title: t.failed, text: stay }
  }
}
