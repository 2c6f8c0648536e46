import { Icon } from '../../kit/icons/Icon.tsx'
import { down, warn } from '../../kit/icons/icons.ts'
import { useModel, useSurroundings } from '../../react.tsx'
import { modalArea } from '../../texts/modal/en.ts'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { networkName } from './networkChoice.ts'
import { networkStanding } from '../../../events/subjects/wallet/approvedNetworks.ts'
import { NetworkMark } from '../../kit/identity/NetworkMark.tsx'

/** The network as a button that leads to the others. One that the wallet or the node does not serve says so. */
export function ChoiceChip() {
  const { config, dispatch } = useSurroundings()
  const t = useTexts(networksArea)
  const { switchNetwork } = useTexts(modalArea)
  const name = useModel(({ network }) => networkName(network, network.offer?.active ?? '', config))
  const isUnsupported = useModel(networkStanding) === 'unsupported'
  const open = () =>
    dispatch({
      type: 'screen.shown',
      data: { screen: { name: isUnsupported ? 'UnsupportedChain' : 'Networks' } },
    })
  return (
    <button
      type="button"
      className="chip network-chip touch"
      data-testid="network"
      aria-label={isUnsupported ? t.unsupportedName(name) : t.chooseFrom(name)}
      onClick={open}
    >
      {isUnsupported ? <Icon path={warn} small /> : <NetworkMark name={name} size="small" />}
      {isUnsupported ? switchNetwork : name}
      <Icon path={down} small />
    </button>
  )
}
