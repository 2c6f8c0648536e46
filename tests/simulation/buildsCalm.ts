/** The end of a world with tabs of two builds: the log passes from one build to the other, and stays with the newest. */
import { type Build, usual } from './builds.ts'
import { saysNewer } from './tabWorkers.ts'
import type { SimulatedWorld } from './world.ts'

type Passing = Generator<Promise<unknown>[], void>

/** Time until a tab's worker leads, follows or stays out, and a core is open, ms. */
const settledMs = 8000

/** @returns builds that did not come to rest with the log, in words */
export function* settleBuilds(
  world: SimulatedWorld,
  pass: (until: number) => Passing,
): Generator<Promise<unknown>[], string[]> {
  const { builds, browser, queue } = world
  if (!builds.two) return []
  const wait = () => pass(queue.now() + settledMs)
  const tabsOf = (build: Build | undefined) => [...browser.tabs.values()].filter(tab => tab.build === build)
  const otherThan = (build: Build | undefined) => (build === usual ? builds.other : usual)
  yield* wait()
  const first = browser.first()?.build
  if (!first) return ['no tab of two builds leads']
  const second = otherThan(first)
  if (tabsOf(second).length === 0) world.openTab(second)
  yield* wait()
  if (browser.first()?.build !== first) return ['a tab of another build leads, though nobody asked for it']
  for (const tab of tabsOf(second))
    if (!world.staysOut().includes(tab)) return ['a tab of another build does not say that one leads']

  for (const tab of tabsOf(second)) world.takeOver(tab)
  yield* wait()
  const leading = browser.first()?.build
  const left = otherThan(leading)
  if (tabsOf(left).length === 0) world.openTab(left)
  yield* wait()
  for (const { name } of tabsOf(leading)) world.closeTab(name)
  yield* wait()
  const model = world.model()
  if (!model || browser.first()?.build !== left) return ['only tabs of another build are left, and none of them leads']
  const isNewer = (world.log().head.format ?? 0) > left.format
  if (isNewer !== saysNewer(model)) return [`an older build ${isNewer ? 'does not say' : 'says'} that the log is newer`]
  if (!isNewer && model.core.storage !== 'durable') return ['the build that is left does not keep the log']

  if (!isNewer) return []
  for (const { name } of tabsOf(left)) world.closeTab(name)
  yield* wait()
  return world.model()?.core.storage === 'durable' ? [] : ['the newest build does not get its log back']
}
