// A page with nothing but the real-time parts on the real browser platform, driven by a test.
import { createBrowserPlatform } from '../../../../src/session/platform/browserPlatform.ts'
import { identityOf } from '../../../node/realtime/sessionIdentity.ts'

export interface TabOptions {
  origin: string
  agentId: string
  sessionId: string
  sinceMs: number
}

export interface TestTab {
  start(options: TabOptions): Promise<void>
  stop(leave: boolean): void
  statuses: string[]
  heard: unknown[]
}

declare global {
  var testTab: TestTab
}

let stop: ((leave: boolean) => void) | undefined

globalThis.testTab = {
  statuses: [],
  heard: [],
  async start({ origin, agentId, sessionId, sinceMs }) {
    const platform = createBrowserPlatform()
    const tabs = platform.tabs()
    const [{ createPresence }, { createSharedConnection }, { createPubnubTransport }] = await Promise.all([
      import('../../../../src/realtime/presence.ts'),
      import('../../../../src/realtime/sharedConnection.ts'),
      import('../../../../src/realtime/pubnub/pubnubConnection.ts'),
    ])
    const pubnub = createPubnubTransport(
      { publishKey: 'pub', subscribeKey: 'sub', origin, ssl: false },
      { ...platform, ...tabs },
      () => ({ userId: '42', firmId: undefined, sessionId: undefined, impersonatorId: undefined }),
    )
    const ports = { ...platform, ...tabs }
    const presence = createPresence({
      identity: identityOf({ agentId, sessionId, sinceMs }),
      transport: createSharedConnection(pubnub, `${agentId}:42`, ports),
      listening: new Set([
        { kind: 'user', topic: 'note', type: 'new', callback: (data) => testTab.heard.push(data) },
      ]),
      ports: platform,
      onOccupants: () => undefined,
      onYield: () => undefined,
      onRemoteLogout: () => undefined,
      onStatus: (status) => testTab.statuses.push(status),
    })
    stop = (leave) => presence.dispose({ leave })
  },
  stop: (leave) => stop?.(leave),
}
