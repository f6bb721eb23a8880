// Holds docs/licences.md to the lock file: what an app installs with latchkey, and under which licence.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

interface Locked {
  license?: string
  dependencies?: Record<string, string>
}

const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8')) as {
  packages: Record<string, Locked>
}

function installedWith(name: string, found = new Map<string, string>()): Map<string, string> {
  const locked = packages[`node_modules/${name}`]
  if (!locked || found.has(name)) return found
  found.set(name, locked.license ?? 'unknown')
  for (const dependency of Object.keys(locked.dependencies ?? {})) installedWith(dependency, found)
  return found
}

const found = new Map<string, string>()
for (const name of Object.keys(packages['']?.dependencies ?? {})) installedWith(name, found)

it('lists every package that an app installs with latchkey, and its licence', () => {
  const page = readFileSync('docs/licences.md', 'utf8')
  const listed = [...page.matchAll(/^\| ([@\w/-]+) +\| ([\w .-]+?) +\|\r?$/gm)]
    .map(([, name = '', licence = '']) => [name, licence] as const)
    .filter(([name]) => name !== 'package' && !name.startsWith('-'))
  expect(new Map(listed)).toEqual(found)
})

it('brings nothing along that forbids what MIT allows', () => {
  expect(
    [...found].filter(([, licence]) => !['MIT', 'ISC', 'BSD-3-Clause', 'Apache-2.0'].includes(licence)),
  ).toEqual([])
})
