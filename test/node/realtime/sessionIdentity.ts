// A session as the other browsers see it, made from its ids.
import {
  channelNames,
  makePresenceId,
  NIL_DEVICE,
  parseAnnouncement,
} from '../../../src/protocol/presence.ts'

export interface SessionIds {
  agentId: string
  sessionId?: string
  sinceMs?: number
  userId?: string
  firmId?: string
  impersonatorId?: string
}

export const identityOf = ({
  userId = '42',
  firmId,
  sessionId,
  agentId,
  impersonatorId,
  sinceMs = 0,
}: SessionIds) => ({
  presenceId: makePresenceId({ type: impersonatorId === undefined ? '1' : '2', device: NIL_DEVICE, agentId }),
  names: channelNames({ userId, firmId }),
  own: parseAnnouncement({
    authHost: 'https://auth.test',
    clientId: 'app',
    sessionId,
    agentId,
    impersonatorId,
    since: sinceMs,
  }),
})
