import { useTokens } from './useAccountData.ts'

/** The value of the account's tokens in dollars; nothing while no price is known. */
export function Worth() {
  const held = useTokens()
  if (!held?.tokens.some(({ value }) => value)) return null
  const { dollars, cents } = held.total
  return (
    <p className="text-hint text-figures" data-testid="worth">
      ${dollars}.{cents}
    </p>
  )
}
