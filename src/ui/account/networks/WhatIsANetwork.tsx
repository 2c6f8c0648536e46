import { ExternalLink } from '../../kit/controls/ExternalLink.tsx'
import { Icon } from '../../kit/icons/Icon.tsx'
import { out, shield } from '../../kit/icons/icons.ts'
import { grid } from '../../kit/icons/iconsOfModal.ts'
import { Logo } from '../../kit/identity/Logo.tsx'
import { networksArea } from '../../texts/networks/en.ts'
import { useTexts } from '../../texts/language.tsx'

const icons = { ledger: grid, apart: shield }

/** Explains networks, with a page of Solana's for more. */
export function WhatIsANetwork() {
  const { points, learnMore } = useTexts(networksArea)
  return (
    <>
      <ul className="what-is-a-wallet">
        {(['ledger', 'apart'] as const).map(point => {
          const [title, text] = points[point]
          return (
            <li key={point}>
              <Logo name={title} tint={4}>
                <Icon path={icons[point]} />
              </Logo>
              <div>
                <b>{title}</b>
                <p>{text}</p>
              </div>
            </li>
          )
        })}
      </ul>
      <ExternalLink className="button is-big" href="https://solana.com/docs/references/clusters">
        <Icon path={out} small />
        {learnMore}
      </ExternalLink>
    </>
  )
}
