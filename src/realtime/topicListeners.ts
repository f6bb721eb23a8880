// Hands the messages of the user's and the firm's channel to whoever listens to their topic and type.
import type { Listening, MessageKind } from '../session/realtimePort.ts'
import type { TopicMessage } from '../protocol/presence.ts'

/** `report` is given what a listener throws, and which topic it listens to. */
export function deliver(
  all: ReadonlySet<Listening>,
  kind: MessageKind,
  message: TopicMessage,
  report: (what: string, error: unknown) => void,
): void {
  const { topic, messageType: type } = message
  const fail = (error: unknown) => report(`topic ${topic}, type ${type}`, error)
  // A copy: a listener may add and remove listeners.
  const interested = [...all].filter((one) => one.kind === kind && one.topic === topic && one.type === type)
  for (const one of interested) {
    // Removed by one before it.
    if (!all.has(one)) continue
    try {
      Promise.resolve(one.callback(message.data, message)).catch(fail)
    } catch (error) {
      fail(error)
    }
  }
}
