import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { Button } from './kit/controls/Button.tsx'
import { Empty } from './kit/feedback/Empty.tsx'
import { SkeletonRow } from './kit/feedback/SkeletonRow.tsx'
import { Icon } from './kit/icons/Icon.tsx'
import { refresh, warn } from './kit/icons/icons.ts'
import { useModel } from './react.tsx'
import { basics } from './texts/basics/en.ts'
import { useTexts } from './texts/language.tsx'
import { modalArea } from './texts/modal/en.ts'

/**
 * A screen in a file of its own, loaded at its first use. Rows shimmer until it is here; a file that does not load is said in
 * words, with a button that tries again.
 *
 * @param load imports the screen
 * @param waiting stands there until then, in place of rows; `missing` after a failure, in place of the words
 * @returns the screen; `ahead` loads its file before it is shown
 */
export function lazyScreen<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { waiting = <Coming />, missing }: { waiting?: ReactNode; missing?: ReactNode } = {},
): ComponentType<Props> & { ahead: () => Promise<void> } {
  let screen: ComponentType<Props> | undefined
  const ahead = async () => {
    screen = await load()
  }
  function LazyScreen(props: Props) {
    const [Screen, setScreen] = useState(() => screen)
    const [tries, setTries] = useState(0)
    const [failedTry, setFailedTry] = useState<number>()
    useEffect(() => {
      if (Screen) return
      let current = true
      load().then(
        loaded => {
          screen = loaded
          if (current) setScreen(() => loaded)
        },
        () => current && setFailedTry(tries),
      )
      return () => {
        current = false
      }
    }, [Screen, tries])
    if (Screen) return <Screen {...props} />
    if (failedTry !== tries) return waiting
    return missing ?? <Missing onAgain={() => setTries(tries + 1)} />
  }
  return Object.assign(LazyScreen, { ahead })
}

function Coming() {
  return (
    <div aria-busy="true">
      <SkeletonRow width={96} />
      <SkeletonRow width={64} />
      <SkeletonRow width={140} />
    </div>
  )
}

function Missing({ onAgain }: { onAgain: () => void }) {
  const t = useTexts(modalArea)
  const { tryAgain } = useTexts(basics)
  const online = useModel(({ network }) => network.online)
  return (
    <Empty
      icon={warn}
      fact={t.partMissing}
      action={
        <Button size="small" icon={<Icon path={refresh} small />} onClick={onAgain}>
          {tryAgain}
        </Button>
      }
    >
      {online ? t.mayHaveChanged : t.offline}
    </Empty>
  )
}
