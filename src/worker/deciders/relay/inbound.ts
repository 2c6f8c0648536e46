import type { Ctx } from '../../core/context.ts'
import type { Message } from './mail.ts'

/** The way of incoming messages to the owners of their topics. */
export type Inbound = {
  /** Hears every delivery, repeated ones too: by which way it came, and whether its sender is verified. */
  delivered(ctx: Ctx, message: Message): void
  /** Hands a message to its topic's owner, once. */
  handle(ctx: Ctx, message: Message): void
  /** A message on this topic is quarantined: its owner goes on without it. */
  setAside(ctx: Ctx, topic: string, payloadId: string): void
}
