// Fetches the contestants when they are not there: only the bench needs them, and only for this measurement.
import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const fromHere = (path: string) => join(import.meta.dirname, path)

export function installPeers(): void {
  const installed = fromHere('node_modules/.package-lock.json')
  if (existsSync(installed) && hasAll(installed)) return
  const { status } = spawnSync('npm ci --ignore-scripts --no-audit --no-fund', {
    shell: true,
    stdio: 'inherit',
    cwd: import.meta.dirname,
  })
  if (status !== 0) throw new Error('the contestants could not be installed: npm ci in bench/peers failed')
}

/** Name and version, as package.json pins them. */
export function peerVersions(): Record<string, string> {
  const manifest = JSON.parse(readFileSync(fromHere('package.json'), 'utf8')) as {
    dependencies: Record<string, string>
  }
  return manifest.dependencies
}

function hasAll(lock: string): boolean {
  const { packages } = JSON.parse(readFileSync(lock, 'utf8')) as {
    packages: Record<string, { version: string }>
  }
  return Object.entries(peerVersions()).every(
    ([name, version]) => packages[`node_modules/${name}`]?.version === version,
  )
}
