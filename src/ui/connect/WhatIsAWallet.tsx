import { Button } from '../kit/controls/Button.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { shield } from '../kit/icons/icons.ts'
import { lock, pen } from '../kit/icons/iconsOfModal.ts'
import { Logo } from '../kit/identity/Logo.tsx'
import { useDispatch } from '../react.tsx'

const points = [
  [lock, 'It holds your keys', 'Your tokens live on the network. The wallet keeps the keys that move them.'],
  [pen, 'It asks before it signs', 'Nothing leaves your wallet until you approve it there.'],
  [
    shield,
    'It is yours alone',
    'This page never sees your recovery phrase. Anyone who asks for it wants to steal from you.',
  ],
] as const

/** Explains wallets to visitors without one. */
export function WhatIsAWallet() {
  const dispatch = useDispatch()
  return (
    <>
      <ul className="what-is-a-wallet">
        {points.map(([path, title, text]) => (
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
        Get a wallet
      </Button>
    </>
  )
}
