/**
 * The leader of another build, as this worker knows it.
 *
 * 1. A known foreign leader keeps the lead while its worker lives, however silent: two builds hear each other on the meeting
 *    channel alone, so silence on the other channels proves nothing.
 * 2. The lead passes when a person asks for it here. The leader is asked first; it refuses while it is busy.
 * 3. A leader that does not answer loses the lead only when its last word was that it is not busy. A build that never
 *    says so keeps the lead until its tab is closed.
 */
import type { Handover } from '../wire.ts'
import type { TabNotice } from './channel.ts'

type Ports = {
  peer: string
  /** Posts on the meeting channel that this worker wants the lead of the peer named. */
  ask(leader: string): void
  /** Takes the lock from its holder. */
  steal(): void
  /** Time for an answer, ms. */
  waitMs: number
}

type ForeignLeader = {
  /** Whether a tab of another build leads and lives. */
  isKnown(): boolean
  /** Takes in an announcement of another build. */
  hear(said: TabNotice): void
  /** The worker of this name has ended. */
  ended(peer: string): void
  /** A tab of this protocol version leads. */
  forget(): void
  /** Asks the leader to hand the lead over. Calls while one is under way share its answer. */
  takeOver(): Promise<Handover>
}

export function createForeignLeader({ peer, ask, steal, waitMs }: Ports): ForeignLeader {
  let leader: { id: string; busy?: boolean } | undefined
  let asking: { id: string; answer(said: TabNotice): void; handover: Promise<Handover> } | undefined

  /** Announcements may cross the question: a leader that is not busy is still on its way to an answer. */
  const isAnswer = ({ leads, busy }: TabNotice) => !leads || busy !== false

  function begin(id: string): Promise<Handover> {
    let answer = (_said?: TabNotice) => undefined as void
    const said = new Promise<TabNotice | undefined>(resolve => (answer = resolve))
    const timer = setTimeout(answer, waitMs, undefined)
    const handover = said.then(heard => {
      clearTimeout(timer)
      asking = undefined
      return outcome(id, heard)
    })
    asking = { id, answer, handover }
    ask(id)
    return handover
  }

  function outcome(id: string, said: TabNotice | undefined): Handover {
    if (said?.yieldsTo === peer) return taken()
    if (said?.leads) return said.busy ? 'busy' : 'silent'
    // It has ended, or another tab has the lead of it
    if (leader?.id !== id) return 'taken'
    if (leader.busy === false) return taken()
    return leader.busy ? 'busy' : 'silent'
  }

  function taken(): Handover {
    leader = undefined
    steal()
    return 'taken'
  }

  return {
    isKnown: () => leader !== undefined,
    hear(said) {
      const { peer: id, leads, busy } = said
      if (leads) leader = { id, ...(busy !== undefined && { busy }) }
      else if (leader?.id === id) leader = undefined
      if (asking?.id === id && isAnswer(said)) asking.answer(said)
    },
    ended(id) {
      if (leader?.id === id) leader = undefined
    },
    forget() {
      leader = undefined
    },
    async takeOver() {
      if (asking) return asking.handover
      return leader ? begin(leader.id) : 'taken'
    },
  }
}
