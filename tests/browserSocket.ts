import { WebSocket } from 'ws'

/** A socket as in browsers, which tell of an error by the close alone; without a listener Node's would end the process. */
export class BrowserSocket extends WebSocket {
  constructor(address: string | URL, protocols?: string | string[]) {
    super(address, protocols)
    this.on('error', () => undefined)
  }
}
