// Plays one drawn history and looks at everything that must be true, after each command that came to rest and when all is calm.
import { expect } from 'vitest'
import { type Command, perform } from './wholeSessionCommands.ts'
import { calmDown, faultsOf, faultsOfCalm, remainsOf, renewTogether } from './wholeSessionModel.ts'
import { createWorld, type Setting } from './wholeSessionWorld.ts'

export interface History {
  readonly setting: Setting
  readonly isSignedIn: boolean
  readonly commands: readonly Command[]
}

const breathe = async (count: number) => {
  for (let left = count; left > 0; left -= 1) await Promise.resolve()
}

export async function play({ setting, isSignedIn, commands }: History): Promise<void> {
  const world = createWorld(setting)
  const unhandled: unknown[] = []
  const note = (error: unknown) => unhandled.push(error instanceof Error ? error.stack : error)
  process.on('unhandledRejection', note)
  try {
    for (const browser of world.browsers) {
      if (isSignedIn) world.beginSession(browser)
      world.open(browser)
    }
    await world.settle()
    expect(faultsOf(world)).toEqual([])
    // Else nothing that follows could go wrong.
    const look = () => world.browsers.flatMap(({ tabs }) => tabs.map(({ auth }) => auth.getState().status))
    let shown = look()
    // A busy machine may take its time for the first real key of DPoP: no clock of the play turns meanwhile.
    for (let left = 100; left > 0 && shown.includes('initializing'); left -= 1) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      await world.settle()
      shown = look()
    }
    if (isSignedIn) expect(new Set(shown)).toEqual(new Set(['authenticated']))
    for (const command of commands) {
      await perform(world, command)
      if (command.pause === 'rest') {
        await world.pass(setting.channelMs * 4)
        expect(faultsOf(world)).toEqual([])
      } else await breathe(command.pause)
      expect(unhandled).toEqual([])
    }
    await calmDown(world)
    expect(faultsOfCalm(world)).toEqual([])
    const renewed = await renewTogether(world)
    expect(faultsOfCalm(world, renewed)).toEqual([])
    expect(await remainsOf(world)).toEqual([])
    expect(unhandled).toEqual([])
  } finally {
    process.off('unhandledRejection', note)
  }
}
