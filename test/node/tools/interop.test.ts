// Servers that are large to fetch are left out on a machine that cannot make them: nothing else needs Java or Go.
import { spawnSync } from 'node:child_process'
import { expect, it } from 'vitest'

it(
  'says in a sentence that a product was not run where its tools are missing, and does not fail',
  { timeout: 60_000 },
  () => {
    const names = ['keycloak', 'hydra', 'spring', 'zitadel']
    const { status, stdout } = spawnSync(process.execPath, ['scripts/interop.ts', ...names], {
      encoding: 'utf8',
      env: { ...process.env, PATH: '' },
    })
    expect(status).toBe(0)
    for (const name of names) expect(stdout).toMatch(new RegExp(`^${name}\n +not run: it needs `, 'm'))
  },
)
