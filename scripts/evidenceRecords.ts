// The recorded results: what each speaks of, how old it may get, and what renews it.
import { TARGETS } from './mutation/plan.ts'

export interface EvidenceRecord {
  readonly name: string
  readonly result: string
  /** Files and folders that it speaks of. */
  readonly sources: readonly string[]
  /** Commits to them that its page may bear. */
  readonly mayBear: number
  readonly command: string
  /** On two quiet cores. */
  readonly minutes: number
}

const bench = (
  name: string,
  minutes: number,
  mayBear = 40,
  sources = ['src/session', 'src/realtime', 'src/protocol', 'src/provider'],
) => ({
  name,
  result: `bench/results/${name}.json`,
  sources,
  mayBear,
  command: `npm run bench -- ${name}`,
  minutes,
})

/** The quick ones first. */
export const RECORDS: readonly EvidenceRecord[] = [
  {
    name: 'conformance',
    result: 'evidence/conformance.md',
    sources: ['test/oidc/conformance/officialCases.ts', 'scripts/conformance.ts'],
    mayBear: 0,
    command: 'node scripts/conformance.ts',
    minutes: 1,
  },
  {
    name: 'providers',
    result: 'evidence/providers.md',
    sources: ['demo/servers/oidc/traits', 'test/oidc/interop', 'test/oidc/providers', 'src/oidc'],
    mayBear: 10,
    command: 'npx vitest run --project node test/oidc/providers/traits.test.ts',
    minutes: 1,
  },
  {
    name: 'interop',
    result: 'evidence/interop.md',
    sources: ['src/oidc', 'src/protocol/servers', 'src/cli/check', 'test/oidc/interop', 'scripts/interop.ts'],
    mayBear: 40,
    command: 'npm run interop -- --all --record',
    minutes: 2,
  },
  bench('size', 1, 0, ['src', 'package.json', 'tsdown.config.ts']),
  bench('reload', 3),
  bench('early', 3),
  bench('renders', 1),
  bench('tabs', 12),
  bench('toasts', 1, 40, ['src/toaster']),
  bench('lasting', 4),
  bench('editor', 15, 40, ['src/editor']),
  bench('peers', 50),
  {
    name: 'browsers',
    result: 'test/results/browsers.json',
    sources: ['src'],
    mayBear: 40,
    command: 'npm run test:browsers -- --record',
    minutes: 15,
  },
  {
    name: 'mutation',
    result: 'test/results/mutation.json',
    sources: TARGETS,
    mayBear: 60,
    command: 'npm run test:mutation -- --changed --loading --record && node scripts/faults.ts',
    minutes: 90,
  },
  {
    name: 'accessibility',
    result: 'evidence/results/axe.json',
    sources: ['demo/app', 'docs', 'site'],
    mayBear: 40,
    command: 'npm run docs:build && npm run accessibility && npm run lighthouse',
    minutes: 12,
  },
  {
    name: 'consumers',
    result: 'evidence/consumers.md',
    sources: ['src', 'test/consumers'],
    mayBear: 40,
    command: 'npm run build && npm run test:consumers -- --record',
    minutes: 10,
  },
]
