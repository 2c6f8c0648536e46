/**
 * A wallet app of an Android device, as the Mobile Wallet Adapter protocol knows it: opened by a page's link, it listens at the
 * link's port for one session. It signs for real, and sends to the given chain.
 */
import { webcrypto } from 'node:crypto'
import { WebSocketServer, type WebSocket } from 'ws'
import { createWalletChain } from '../wallet/chain.ts'
import { type Signer, signerFromWord, signTransaction } from '../wallet/signer.ts'

export type MobileAppOptions = {
  /** Seed word of its keys. */
  word: string
  rpcUrl: string
  /** Methods that the person declines. */
  declines?: readonly string[]
  /** Methods that the app answers by hanging up. */
  hangsUpOn?: readonly string[]
  /** Texts that the app sends in place of its answers, by method; `hello` in place of its properties. */
  says?: Readonly<Record<string, string>>
  /** Speaks the protocol's first version. */
  isLegacy?: boolean
  /** Asks for the hello once more before it answers it. */
  asksAgain?: boolean
}

/** An app on the device; a page opens it by its links. */
export type MobileApp = {
  address: string
  options: MobileAppOptions
  /** Calls of the pages, oldest first. */
  calls: { method: string; params: Record<string, unknown> }[]
  /** Signatures of sent transactions. */
  sent: string[]
  /** The device opened the app with this link. Resolves once it listens. */
  open(link: string): Promise<void>
  close(): Promise<void>
}

const { subtle } = webcrypto
const curve = { name: 'ECDH', namedCurve: 'P-256' } as const
const token = 'authorised-once'

export function createMobileApp(options: MobileAppOptions): MobileApp {
  const signers: [Signer, Signer] = [signerFromWord(`${options.word} 0`), signerFromWord(`${options.word} 1`)]
  const [signer] = signers
  const chain = createWalletChain(options.rpcUrl)
  const servers = new Set<WebSocketServer>()
  const calls: MobileApp['calls'] = []
  const sent: string[] = []
  let isAuthorised = false

  async function answer(method: string, params: Record<string, unknown>): Promise<unknown> {
    const payloads = ((params.payloads as string[] | undefined) ?? []).map(text => Buffer.from(text, 'base64'))
    const sign = () => payloads.map(bytes => signTransaction(bytes, signers).bytes)
    if (method === 'authorize' || method === 'reauthorize') {
      if (params.auth_token !== undefined && params.auth_token !== token) throw declined(-1)
      isAuthorised = true
      return { auth_token: token, accounts: [{ address: base64(signer.publicKey), label: 'Main' }] }
    }
    if (!isAuthorised) throw declined(-1)
    if (method === 'sign_transactions') return { signed_payloads: sign().map(base64) }
    if (method === 'sign_and_send_transactions') {
      const signed = sign()
      for (const bytes of signed) sent.push(await chain.send(bytes))
      return { signatures: signed.map(bytes => base64(bytes.slice(1, 65))) }
    }
    if (method === 'sign_messages')
      return { signed_payloads: payloads.map(bytes => base64(Uint8Array.of(...bytes, ...signer.sign(bytes)))) }
    throw declined(-32601)
  }

  function serve(socket: WebSocket, association: Buffer): void {
    const messages = queueOf(socket)
    const serveAll = async () => {
      if (options.asksAgain) {
        await messages.next()
        socket.send(Buffer.alloc(0))
      }
      const { key, publicKey } = await agree(await messages.next(), association)
      let number = 0
      const seal = async (text: string) => {
        const head = Buffer.alloc(16)
        head.writeUInt32BE((number += 1))
        webcrypto.getRandomValues(head.subarray(4))
        const how = { name: 'AES-GCM', iv: head.subarray(4), additionalData: head.subarray(0, 4) }
        return Buffer.concat([head, Buffer.from(await subtle.encrypt(how, key, Buffer.from(text)))])
      }
      socket.send(
        Buffer.concat([publicKey, options.isLegacy ? Buffer.alloc(0) : await seal(options.says?.hello ?? '{"v":"1"}')]),
      )
      for (let expected = 1; ; expected += 1) {
        const message = await messages.next()
        if (message.readUInt32BE() !== expected) throw new Error(`the page expected to number its message ${expected}`)
        const how = { name: 'AES-GCM', iv: message.subarray(4, 16), additionalData: message.subarray(0, 4) }
        const text = Buffer.from(await subtle.decrypt(how, key, message.subarray(16))).toString()
        const { id, method, params } = JSON.parse(text) as { id: number; method: string; params: never }
        calls.push({ method, params })
        if (options.hangsUpOn?.includes(method)) return socket.terminate()
        const refused = options.declines?.includes(method) ? Promise.reject(declined(-3)) : answer(method, params)
        const said = await refused.then(
          result => ({ result }),
          (error: { code: number }) => ({ error: { code: error.code, message: 'no' } }),
        )
        socket.send(await seal(options.says?.[method] ?? JSON.stringify({ jsonrpc: '2.0', id, ...said })))
      }
    }
    serveAll().catch(() => socket.close())
  }

  return {
    address: signer.address,
    options,
    calls,
    sent,
    open(link) {
      const url = new URL(link)
      if (url.protocol !== 'solana-wallet:' || url.pathname !== '/v1/associate/local')
        throw new Error(`a wallet app expected solana-wallet:/v1/associate/local, got ${url.protocol}${url.pathname}`)
      const plain = (url.searchParams.get('association') ?? '').replace(
        /[_.-]/g,
        sign => ({ _: '/', '.': '=', '-': '+' })[sign] ?? '',
      )
      const server = new WebSocketServer({
        port: Number(url.searchParams.get('port')),
        path: '/solana-wallet',
        handleProtocols: protocols =>
          protocols.has('com.solana.mobilewalletadapter.v1') ? 'com.solana.mobilewalletadapter.v1' : false,
      })
      servers.add(server)
      server.on('connection', socket => {
        serve(socket, Buffer.from(plain, 'base64'))
        socket.on('close', () => void server.close())
      })
      return new Promise(resolve => server.on('listening', () => resolve()))
    },
    async close() {
      for (const server of servers) {
        for (const socket of server.clients) socket.terminate()
        server.close()
      }
    },
  }
}

function declined(code: number): Error {
  return Object.assign(new Error('refused'), { code })
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('base64')
}

/** Checks the page's hello and derives the session's key. */
async function agree(hello: Buffer, association: Buffer) {
  const theirs = hello.subarray(0, 65)
  const signing = { name: 'ECDSA', namedCurve: 'P-256' }
  const verifier = await subtle.importKey('raw', association, signing, false, ['verify'])
  const isTheirs = await subtle.verify({ name: 'ECDSA', hash: 'SHA-256' }, verifier, hello.subarray(65), theirs)
  if (!isTheirs) throw new Error('the page expected to sign its hello with the key of its link')
  const pair = await subtle.generateKey(curve, false, ['deriveBits'])
  const other = await subtle.importKey('raw', theirs, curve, false, [])
  const secret = await subtle.deriveBits({ name: 'ECDH', public: other }, pair.privateKey, 256)
  const base = await subtle.importKey('raw', secret, 'HKDF', false, ['deriveKey'])
  const how = { name: 'HKDF', hash: 'SHA-256', salt: association, info: Buffer.alloc(0) }
  const key = await subtle.deriveKey(how, base, { name: 'AES-GCM', length: 128 }, false, ['encrypt', 'decrypt'])
  return { key, publicKey: Buffer.from(await subtle.exportKey('raw', pair.publicKey)) }
}

function queueOf(socket: WebSocket) {
  const heard: Buffer[] = []
  let take: ((message: Buffer) => void) | undefined
  socket.on('message', (data: Buffer) => {
    if (take) take(data)
    else heard.push(data)
    take = undefined
  })
  return {
    next: () =>
      new Promise<Buffer>(resolve => {
        const message = heard.shift()
        if (message) resolve(message)
        else take = resolve
      }),
  }
}
