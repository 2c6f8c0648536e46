/** Apart from the connection's facts, whose shapes the page's first chunk does not need. */
import { own } from '../../../runtime/schema/own.ts'
import type { Connection, ConnectionView } from './connection.ts'

/** @returns the active connection with its account, if there is one */
export function activeConnection(model: {
  connection: ConnectionView
}): { connection: Connection; account: string } | undefined {
  const { active, made } = model.connection
  const connection = active === null ? undefined : own(made, active)
  const account = connection?.accounts[0]
  return connection && account !== undefined ? { connection, account } : undefined
}
