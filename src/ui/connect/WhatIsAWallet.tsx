import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { shield } from '../kit/icons/icons.ts'
import { lock, pen } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { useDispatch } from '../react.tsx'
import { connectArea } from '../texts/connect/en.ts'
import { useTexts } from '../texts/language.tsx'
import { modalArea } from '../texts/modal/en.ts'

const icons = { keys: lock, asks: pen, yours: shield }

/** Explains wallets to visitors without one. */
export function WhatIsAWallet() {
  const dispatch = useDispatch()
  const { points } = useTexts(connectArea)
  const { getAWallet } = useTexts(modalArea)
  const shown = (['keys', 'asks', 'yours'] as const).map(point => [icons[point], ...points[point]] as const)
  return (
    <>
      <ul className="what-is-a-wallet">
        {shown.map(([path, title, text]) => (
          <li key={title}>
            <Logo name={title} tint={4}>
              <Icon path={path} />
            </Logo>
            <div>
              <b>{title}</b>
              <p>{text}</p>
            </div>
          </li>
        ))}
      </ul>
      <Button
        kind="primary"
        size="big"
        onClick={() => dispatch({ type: 'screen.shown', data: { screen: { name: 'GetWallet' } } })}
      >
        {getAWallet}
      </Button>
    </>
  )
}
