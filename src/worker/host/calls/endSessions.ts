/**
 * The ends of all connections before the log is erased: wallets are notified while the keys exist, and wallets of this device by
 * their pages. Hosts' open requests end with their sessions.
 *
 * 1. The wait has a limit: the relay may be unreachable. A wallet that is not notified keeps its session until that expires.
 * 2. An offline device does not wait.
 */
import type { CoreModel } from '../../../events/app.ts'
import { idIn } from '../../../events/values/reference.ts'
import type { OpenCore } from '../openCore.ts'

/** Longest wait for the relay to accept the messages, ms. */
export const farewellMs = 3000

/** @param tab of the page that erases */
export async function endSessions({ core, inbox, until }: OpenCore, tab: string): Promise<void> {
  for (const sessionTopic of Object.keys(core.model.session))
    inbox.take({ type: 'session.disconnect', data: { sessionTopic }, tab })
  for (const connectionId of Object.keys(core.model.connection.made))
    inbox.take({ type: 'connection.disconnect', data: { connectionId }, tab })
  await inbox.settled()
  if (core.model.network.online) await until(model => !owesEnds(model), farewellMs)
}

/** Whether the message of some session's end is not sealed, or not accepted by the relay. */
function owesEnds({ parting, outbox }: CoreModel): boolean {
  return (
    Object.keys(parting).length > 0 ||
    Object.values(outbox).some(({ purpose }) => idIn('delete', purpose) !== undefined)
  )
}
