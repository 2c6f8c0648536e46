import type { WalletRef } from '../../../events/schema/fields.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Ring } from '../../kit/figures/Ring.tsx'
import { useModel } from '../../react.tsx'
import { listedOf } from '../list/directory.ts'
import { WalletMark } from '../WalletMark.tsx'
import { linkTarget } from './openWallet.ts'

/** The press on a wallet's row opened this page in the wallet's own browser; here to press again, or to leave. */
export function InAppBrowser(props: { wallet: WalletRef; url: string; onOther: () => void }) {
  const { name } = props.wallet
  const imageId = useModel(model => listedOf(model.listing, props.wallet)?.imageId)
  return (
    <>
      <Ring>
        <WalletMark name={name} imageId={imageId} size="large" />
      </Ring>
      <div className="ring-words" role="status">
        <h3>Continue in {name}</h3>
        <p>{name} opens this page in its own browser. Connect and go on there.</p>
      </div>
      <a
        className="button is-primary is-wide"
        href={props.url}
        target={linkTarget()}
        rel="noopener"
        data-testid="open-app"
      >
        Open {name}
      </a>
      <OtherDevice onPress={props.onOther} />
    </>
  )
}

/** Leads from a wallet on this phone to the code for one on another device. */
export function OtherDevice({ onPress }: { onPress: () => void }) {
  return (
    <Button wide className="layout-above" data-testid="other-device" onClick={onPress}>
      Use another device
    </Button>
  )
}
