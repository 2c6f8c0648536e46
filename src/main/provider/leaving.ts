/**
 * Ends sessions for this provider, or takes one family out of them.
 *
 * 1. A session has ended when the model no longer has it; an accepted command alone proves nothing.
 * 2. A session that loses its last family ends.
 * 3. An end caused here is reported by `ownEnd`, once, so that the provider emits no `disconnect` for it.
 */
import type { CoreModel } from '../../events/app.ts'
import type { Command } from '../../events/command.ts'
import { own } from '../../runtime/schema/own.ts'
import { thrown } from './providerError.ts'
import type { SessionIndex } from './sessions/sessionIndex.ts'
import { familiesIn } from './sessions/sessions.ts'

/** One session, or one family of it. */
export type SessionLeft = { topic: string; family?: string }

type Ports = {
  model(): Pick<CoreModel, 'session'>
  give(command: Command): { taken: Promise<void> }
  sessions: Pick<SessionIndex, 'all' | 'families' | 'withFamily'>
}

type Leaving = {
  /**
   * Ends every session, or takes one family out of each session that has it. Resolves once the model says so.
   * @throws ProviderError when no session has the family, the command was not accepted, or 10 s have passed
   */
  leaveAll(family?: string): Promise<void>
  /** The same for one session. @throws ProviderError also when it does not exist */
  leaveOne(left: SessionLeft): Promise<void>
  /** This provider's part in a session's end, returned once; undefined when it did not end the session. */
  ownEnd(topic: string): { othersStay: boolean } | undefined
  /** Departures from a family so far. A read that was sent before the latest one is void. */
  departures(family: string): number
  /** The model changed. */
  look(): void
}

const disconnectMs = 10_000

export function createLeaving({ model, give, sessions }: Ports): Leaving {
  /** by topic: sessions being ended here, and whether other sessions with their families remain */
  const ending = new Map<string, { othersStay: boolean }>()
  const departures = new Map<string, number>()
  const watching = new Set<() => void>()

  const familiesOf = (topic: string): string[] => familiesIn(own(model().session, topic)?.namespaces ?? {})

  /** Resolves when the model meets a condition. */
  function until(isSo: () => boolean): Promise<void> {
    return new Promise((resolve, reject) => {
      const look = () => {
        if (isSo()) end(resolve)
      }
      const end = (how: () => void) => {
        watching.delete(look)
        clearTimeout(timer)
        how()
      }
      const timer = setTimeout(() => end(() => reject(thrown.stillThere())), disconnectMs)
      watching.add(look)
      look()
    })
  }

  async function leave({ topic, family, othersStay }: SessionLeft & { othersStay: boolean }): Promise<void> {
    const isLast = family === undefined || familiesOf(topic).length === 1
    if (isLast) ending.set(topic, { othersStay })
    const { taken } = give({
      type: 'session.disconnect',
      data: { sessionTopic: topic, ...(family === undefined ? {} : { namespace: family }) },
    })
    const gone = until(() => {
      return model().session[topic] === undefined || (family !== undefined && !familiesOf(topic).includes(family))
    })
    await Promise.all([taken.catch(() => Promise.reject(thrown.notInitialized())), gone]).catch((cause: unknown) => {
      ending.delete(topic)
      throw cause
    })
  }

  function depart(family: string): void {
    departures.set(family, (departures.get(family) ?? 0) + 1)
  }

  return {
    async leaveAll(family) {
      const those = family === undefined ? sessions.all() : sessions.withFamily(family)
      if (family !== undefined && those.length === 0) throw thrown.noNamespace(family)
      for (const one of family === undefined ? sessions.families() : [family]) depart(one)
      const named = family === undefined ? {} : { family }
      await Promise.all(those.map(({ sessionTopic: topic }) => leave({ topic, ...named, othersStay: false })))
    },
    async leaveOne({ topic, family }) {
      if (!own(model().session, topic)) throw thrown.noSession(String(topic))
      const its = familiesOf(topic)
      if (family !== undefined && !its.includes(family)) throw thrown.noNamespace(family)
      for (const one of family === undefined ? its : [family]) if (sessions.withFamily(one).length <= 1) depart(one)
      await leave({ topic, ...(family === undefined ? {} : { family }), othersStay: true })
    },
    ownEnd(topic) {
      const end = ending.get(topic)
      ending.delete(topic)
      return end
    },
    departures: family => departures.get(family) ?? 0,
    look() {
      for (const look of watching) look()
    },
  }
}
