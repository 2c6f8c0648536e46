import { IconButton } from '../kit/controls/IconButton.tsx'
import { help } from '../kit/icons/iconsOfModal.ts'
import { useSay } from '../react.tsx'

/** Opens the screen that explains wallets. */
export function HelpButton() {
  const say = useSay()
  return (
    <IconButton
      path={help}
      label="What is a wallet?"
      onClick={() => say({ type: 'screen.shown', data: { screen: { name: 'WhatIsAWallet' } } })}
    />
  )
}
