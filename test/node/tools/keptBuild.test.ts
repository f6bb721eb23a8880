// A build is kept for those who have the same sources, and made anew for everybody else.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { hashOfFiles, keptBuild } from '../../../scripts/keptBuild.ts'

let folder: string
let built: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'latchkey-kept-'))
  built = 0
  mkdirSync(join(folder, 'app/screens'), { recursive: true })
  writeFileSync(join(folder, 'app/main.ts'), 'main')
  writeFileSync(join(folder, 'app/screens/home.ts'), 'home')
  writeFileSync(join(folder, 'lock.json'), '1')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const kept = () => join(folder, 'kept')
const ask = async () =>
  keptBuild({
    folder: kept(),
    key: () => hashOfFiles(folder, ['app', 'lock.json', 'tsconfig.json']),
    async build(into) {
      built += 1
      mkdirSync(into)
      writeFileSync(join(into, 'index.html'), readFileSync(join(folder, 'app/screens/home.ts')))
    },
  })

it('is built once for the same sources', async () => {
  const first = await ask()
  expect(await ask()).toBe(first)
  expect(built).toBe(1)
  expect(readFileSync(join(first, 'index.html'), 'utf8')).toBe('home')
})

it.each<[string, () => void]>([
  ['a byte of a file', () => writeFileSync(join(folder, 'app/screens/home.ts'), 'hom3')],
  ['a new file', () => writeFileSync(join(folder, 'app/screens/new.ts'), '')],
  ['a new file whose name begins with a dot', () => writeFileSync(join(folder, 'app/.env'), 'VITE_A=1')],
  ['a file that goes', () => rmSync(join(folder, 'app/main.ts'))],
  ['a name', () => renameSync(join(folder, 'app/main.ts'), join(folder, 'app/other.ts'))],
  [
    'where one file ends and the next begins',
    () => {
      writeFileSync(join(folder, 'app/main.ts'), 'mai')
      writeFileSync(join(folder, 'app/screens/home.ts'), 'nhome')
    },
  ],
  ['what is installed', () => writeFileSync(join(folder, 'lock.json'), '2')],
  ['a file that was not there', () => writeFileSync(join(folder, 'tsconfig.json'), '{}')],
])('is built again after a change of %s', async (_what, change) => {
  const first = await ask()
  change()
  expect(await ask()).not.toBe(first)
  expect(built).toBe(2)
})

it('is kept whole or not at all', async () => {
  const failing = keptBuild({
    folder: kept(),
    key: () => 'half',
    async build(into) {
      mkdirSync(into)
      throw new Error('no space left')
    },
  })
  await expect(failing).rejects.toThrow('no space left')
  expect(readdirSync(kept())).toEqual([])
})

it('is of this run alone where somebody changed a source while it was built', async () => {
  const home = join(folder, 'app/screens/home.ts')
  const during = await keptBuild({
    folder: kept(),
    key: () => hashOfFiles(folder, ['app']),
    async build(into) {
      mkdirSync(into)
      writeFileSync(home, 'saved meanwhile')
      writeFileSync(join(into, 'index.html'), 'of both')
    },
  })
  writeFileSync(home, 'home')
  const after = await keptBuild({
    folder: kept(),
    key: () => hashOfFiles(folder, ['app']),
    async build(into) {
      mkdirSync(into)
    },
  })
  expect(after).not.toBe(during)
  expect(readFileSync(join(during, 'index.html'), 'utf8')).toBe('of both')
})

it('is one of two that were made at the same time', async () => {
  const [first, second] = await Promise.all([ask(), ask()])
  expect(second).toBe(first)
  expect(readdirSync(kept())).toHaveLength(1)
})

it('goes when nobody has asked for it for a day', async () => {
  const first = await ask()
  const yesterday = new Date(Date.now() - 25 * 60 * 60_000)
  utimesSync(first, yesterday, yesterday)
  writeFileSync(join(folder, 'lock.json'), '2')
  const second = await ask()
  expect([existsSync(first), existsSync(second)]).toEqual([false, true])
})
