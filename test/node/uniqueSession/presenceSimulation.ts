// A little world of browsers and a bad network, in which the decision about the one session is played through.
import { NIL_DEVICE, parseAnnouncement } from '../../../src/protocol/presence.ts'
import { UniqueSession } from '../../../src/realtime/uniqueSession.ts'
import { createChance } from '../../chance.ts'

export interface SimulatedAgent {
  startMs: number
  since: number
  isImpersonator: boolean
  /** Times during which this agent's line is cut. */
  outages: readonly { fromMs: number; lastsMs: number }[]
}

export interface Schedule {
  seed: number
  agents: readonly SimulatedAgent[]
  /** Chance that one delivery is lost, repeated, or held back for up to two seconds. */
  loss: number
  duplicates: number
  late: number
  /** After an outage the service delivers what was missed. */
  catchUp: boolean
  /** Nobody may publish: only presence is left. */
  isMute?: boolean
  untilMs: number
}

export interface Outcome {
  survivors: number[]
  yielded: { agent: number; atMs: number }[]
  publishes: number
}

const PRESENCE_TIMEOUT_MS = 300_000

/** What the network brings to a session. */
type Delivery = (session: UniqueSession) => void

export function simulate(schedule: Schedule): Outcome {
  const chance = createChance(schedule.seed)
  const queue: { atMs: number; order: number; run: () => void }[] = []
  let nowMs = 0
  let order = 0
  let publishes = 0
  const yielded: Outcome['yielded'] = []
  const at = (atMs: number, run: () => void) => {
    order += 1
    const planned = { atMs: Math.max(atMs, nowMs), order, run }
    queue.push(planned)
    return () => {
      const index = queue.indexOf(planned)
      if (index !== -1) queue.splice(index, 1)
    }
  }

  const present = new Map<string, number>()
  const agents = schedule.agents.map((agent, index) => {
    const agentId = `agent-${index}`
    const own = parseAnnouncement({
      authHost: 'https://auth.test',
      clientId: 'app',
      sessionId: `session-${index}`,
      agentId,
      impersonatorId: agent.isImpersonator ? 'admin' : null,
      logout: false,
      since: agent.since,
    })!
    const made = {
      index,
      own,
      presenceId: `${agent.isImpersonator ? 2 : 1}:${NIL_DEVICE}:${agentId}`,
      isStarted: false,
      isOnline: false,
      /** Yielded, and logged out as it is without a hook. */
      isGone: false,
      missed: [] as Delivery[],
      session: new UniqueSession({
        own,
        isProtected: true,
        isUnique: true,
        ports: {
          monotonicNow: () => nowMs,
          setTimer: (run, delayMs) => at(nowMs + delayMs, run),
        },
        announce: () => announce(made),
        ask: () =>
          at(nowMs + 60, () => {
            if (made.isOnline) made.session.listed([...present.keys()])
          }),
        onYield() {
          yielded.push({ agent: index, atMs: nowMs })
          leave(made)
        },
        onEnd() {},
      }),
    }
    return made
  })
  type Agent = (typeof agents)[number]

  function deliver(agent: Agent, event: Delivery): void {
    if (!agent.isStarted || agent.isGone) return
    if (!agent.isOnline) {
      if (schedule.catchUp) agent.missed.push(event)
      return
    }
    if (chance() < schedule.loss) return
    const copies = chance() < schedule.duplicates ? 2 : 1
    for (let copy = 0; copy < copies; copy += 1) {
      const delayMs = 20 + chance() * 60 + (chance() < schedule.late ? chance() * 2000 : 0)
      at(nowMs + delayMs, () => {
        if (agent.isOnline && !agent.isGone) event(agent.session)
      })
    }
  }

  function announce(agent: Agent): void {
    if (!agent.isOnline || schedule.isMute) return
    publishes += 1
    for (const other of agents) deliver(other, (session) => session.announcement(agent.own, agent.presenceId))
  }

  function tellPresence(action: 'join' | 'leave' | 'timeout', presenceId: string): void {
    for (const other of agents) deliver(other, (session) => session.presence(action, [presenceId]))
  }

  function connect(agent: Agent): void {
    if (agent.isGone) return
    agent.isOnline = true
    const isNew = !present.has(agent.presenceId)
    present.set(agent.presenceId, Number.POSITIVE_INFINITY)
    if (isNew) tellPresence('join', agent.presenceId)
    agent.session.connected()
    for (const event of agent.missed.splice(0)) event(agent.session)
    at(nowMs + 60, () => {
      if (agent.isOnline) agent.session.listed([...present.keys()])
    })
  }

  function cut(agent: Agent): void {
    if (!agent.isOnline || agent.isGone) return
    agent.isOnline = false
    const goneAtMs = nowMs + PRESENCE_TIMEOUT_MS
    present.set(agent.presenceId, goneAtMs)
    at(goneAtMs, () => {
      if (present.get(agent.presenceId) !== goneAtMs) return
      present.delete(agent.presenceId)
      tellPresence('timeout', agent.presenceId)
    })
    agent.session.disconnected()
  }

  function leave(agent: Agent): void {
    agent.isGone = true
    agent.isOnline = false
    agent.session.stop()
    present.delete(agent.presenceId)
    tellPresence('leave', agent.presenceId)
  }

  schedule.agents.forEach(({ startMs, outages }, index) => {
    const agent = agents[index]!
    at(startMs, () => {
      agent.isStarted = true
      connect(agent)
    })
    for (const { fromMs, lastsMs } of outages) {
      at(startMs + fromMs, () => cut(agent))
      at(startMs + fromMs + lastsMs, () => {
        if (!agent.isOnline) connect(agent)
      })
    }
  })

  while (queue.length > 0) {
    let next = 0
    for (let index = 1; index < queue.length; index += 1) {
      const [one, best] = [queue[index]!, queue[next]!]
      if (one.atMs < best.atMs || (one.atMs === best.atMs && one.order < best.order)) next = index
    }
    const [event] = queue.splice(next, 1)
    if (!event || event.atMs > schedule.untilMs) break
    nowMs = event.atMs
    event.run()
  }

  const survivors = agents
    .filter(({ index, isGone }) => !isGone && !schedule.agents[index]?.isImpersonator)
    .map(({ index }) => index)
  return { survivors, yielded, publishes }
}
