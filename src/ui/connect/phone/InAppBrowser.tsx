import type { WalletRef } from '../../../events/schema/fields.ts'
import { Button } from '../../kit/controls/Button.tsx'
import { Ring } from '../../kit/figures/Ring.tsx'
import { useModel } from '../../react.tsx'
import { listedOf } from '../list/directory.ts'
import { connectArea } from '../../texts/connect/en.ts'
import { useTexts } from '../../texts/language.tsx'
import { WalletMark } from '../WalletMark.tsx'
import { linkTarget } from './openWallet.ts'

/** The press on a wallet's row opened this page in the wallet's own browser; here to press again, or to leave. */
export function InAppBrowser(props: { wallet: WalletRef; url: string; onOther: () => void }) {
  const { name } = props.wallet
  const t = useTexts(connectArea)
  const imageId = useModel(model => listedOf(model.listing, props.wallet)?.imageId)
  return (
    <>
      <Ring>
        <WalletMark name={name} imageId={imageId} size="large" />
      </Ring>
      <div className="ring-words" role="status">
        <h3>{t.continueIn(name)}</h3>
        <p>{t.inItsBrowser(name)}</p>
      </div>
      <a
        className="button is-primary is-wide"
        href={props.url}
        target={linkTarget()}
        rel="noopener"
        data-testid="open-app"
      >
        {t.open(name)}
      </a>
      <OtherDevice onPress={props.onOther} />
    </>
  )
}

/** Leads from a wallet on this phone to the code for one on another device. */
export function OtherDevice({ onPress }: { onPress: () => void }) {
  const t = useTexts(connectArea)
  return (
    <Button wide className="layout-above" data-testid="other-device" onClick={onPress}>
      {t.otherDevice}
    </Button>
  )
}
