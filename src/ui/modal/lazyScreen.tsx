import { type ComponentType, useEffect, useState } from 'react'
import { Button } from '../kit/controls/Button.tsx'
import { Empty } from '../kit/feedback/Empty.tsx'
import { SkeletonRow } from '../kit/feedback/SkeletonRow.tsx'
import { Icon } from '../kit/icons/Icon.tsx'
import { refresh, warn } from '../kit/icons/icons.ts'
import { useModel } from '../react.tsx'

/**
 * A screen in a file of its own, loaded at its first use. Rows shimmer until it is here; a file that does not load is said in
 * words, with a button that tries again.
 *
 * @param load imports the screen
 */
export function lazyScreen<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let screen: ComponentType<Props> | undefined
  return function LazyScreen(props) {
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
    return failedTry === tries ? <Missing onAgain={() => setTries(tries + 1)} /> : <Coming />
  }
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
  const online = useModel(({ network }) => network.online)
  return (
    <Empty
      icon={warn}
      fact="This part did not load"
      action={
        <Button size="small" icon={<Icon path={refresh} small />} onClick={onAgain}>
          Try again
        </Button>
      }
    >
      {online ? 'The page may have changed. Reload it if this stays.' : 'You are offline.'}
    </Empty>
  )
}
