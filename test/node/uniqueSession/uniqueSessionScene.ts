// Sets the scene of the messaging tests: browsers of one user, each with its own server session, on one service in memory.
import { createMemoryRealtime, type MemoryRealtime } from '../../../src/testing/memoryRealtime.ts'
// Warm, so that loading it does not take longer than a fake page rests.
import '../../../src/realtime/channels.ts'
import { createScene, type Scene, type SceneOptions } from '../session/sessionScene.ts'

/** A Monday morning, seconds since 1970. */
export const MORNING = 1_767_600_000

export interface Device {
  /** When the user signed in, seconds after `MORNING`. */
  atSeconds: number
  sessionId?: string
  userId?: string | number
  firmId?: string | number
  impersonatorId?: string
}

export interface World {
  hub: MemoryRealtime
  /** A browser of its own, signed in. */
  signIn(device: Device, options?: SceneOptions): Promise<Scene>
  /** The same user in two browsers, a minute apart; a second later both know. */
  signInTwice(): Promise<{ older: Scene; newer: Scene }>
  /** Another tab of the same browser. */
  openTab(scene: Scene): Promise<Scene>
  /** Time passes, for all browsers alike. */
  pass(ms: number): Promise<void>
}

export function createWorld(hub: MemoryRealtime = createMemoryRealtime()): World {
  const scenes: Scene[] = []
  const pass = async (ms: number) => {
    // In steps: what one browser says the others hear in their own time.
    const clocks = [...new Set(scenes.map(({ host }) => host.clock))]
    const step = Math.max(50, ms / 20)
    for (let passed = 0; passed < ms; passed += step)
      for (const clock of clocks) await clock.advance(Math.min(step, ms - passed))
    for (const { host } of scenes) await host.settle()
  }
  const start = async (scene: Scene) => {
    scenes.push(scene)
    void scene.auth.start()
    for (const { host } of scenes) await host.settle()
    // A tab that is asked for the session answers in its turn.
    await scene.host.clock.advance(50)
    return scene
  }
  const world: World = {
    hub,
    pass,
    signIn({ atSeconds, sessionId = `session-of-${atSeconds}`, ...claims }, { config, ...options } = {}) {
      const user = {
        claims: { userId: '42', firmId: '7', ...claims, sessionId, auth_time: MORNING + atSeconds },
        userInfo: {},
      }
      return start(
        createScene({ ...options, config: { realtime: hub.transport, ...config }, server: { user } }),
      )
    },
    async signInTwice() {
      const older = await world.signIn({ atSeconds: 0 })
      const newer = await world.signIn({ atSeconds: 60 })
      await pass(1000)
      return { older, newer }
    },
    openTab: ({ host, server }) =>
      start(
        createScene({
          config: { realtime: hub.transport },
          host: { browser: host.browser, fetch: host.fetch, onFrame: (frame) => server.answerFrame(frame) },
        }),
      ),
  }
  return world
}
