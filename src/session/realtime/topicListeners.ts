// Hands the messages of the user's and the firm's channel to whoever listens to their topic and type (spec §3 "User-channel message").
import type { TopicMessage } from '../../protocol/presence.ts'

export type MessageKind = 'user' | 'firm'
export type MessageListener = (data: unknown, message: TopicMessage) => unknown

export interface TopicListeners {
  /** Calls back for every message of a topic and type; returns the removal. */
  listen(kind: MessageKind, topic: string, messageType: string, callback: MessageListener): () => void
  deliver(kind: MessageKind, message: TopicMessage): void
  clear(): void
}

/** `report` is given what a listener throws, and which topic it listens to. */
export function createTopicListeners(report: (what: string, error: unknown) => void): TopicListeners {
  const all = new Map<string, Map<string, Set<MessageListener>>>()

  return {
    listen(kind, topic, messageType, callback) {
      const key = keyOf(kind, topic)
      const types = all.get(key) ?? new Map<string, Set<MessageListener>>()
      all.set(key, types)
      const callbacks = types.get(messageType) ?? new Set()
      types.set(messageType, callbacks)
      // The same function may listen twice; each removal takes one.
      const listener: MessageListener = (data, message) => callback(data, message)
      callbacks.add(listener)
      return () => {
        callbacks.delete(listener)
        if (callbacks.size === 0) types.delete(messageType)
        if (types.size === 0) all.delete(key)
      }
    },
    deliver(kind, message) {
      const interested = all.get(keyOf(kind, message.topic))?.get(message.messageType)
      // A copy: a listener may add and remove listeners.
      for (const listener of Array.from(interested ?? [])) {
        // Removed by one before it.
        if (!interested?.has(listener)) continue
        const fail = (error: unknown) => report(`topic ${message.topic}, type ${message.messageType}`, error)
        try {
          Promise.resolve(listener(message.data, message)).catch(fail)
        } catch (error) {
          fail(error)
        }
      }
    },
    clear: () => all.clear(),
  }
}

const keyOf = (kind: MessageKind, topic: string) => `${kind}:${topic}`
