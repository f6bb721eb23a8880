// Counts what one run of the suite generates, and holds that every number is really used (guide: G1-G3, G10-G12, G15).
import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { GENERATED, type GeneratedKind } from '../../generated.ts'

const count = (...kinds: GeneratedKind[]) => kinds.reduce((sum, kind) => sum + GENERATED[kind].count, 0)
const kinds = Object.keys(GENERATED) as GeneratedKind[]
const files = globSync('test/{node,dom,editor,msw,oidc,browser}/**/*.test.{ts,tsx}').map((path) => ({
  path: path.replaceAll('\\', '/'),
  text: readFileSync(path, 'utf8'),
}))

describe('generated inputs', () => {
  it('are 70,000 and more, the broken texts of the editor not counted', () => {
    expect(count(...kinds.filter((kind) => kind !== 'broken JSON texts'))).toBeGreaterThanOrEqual(70_000)
  })

  it.each<[string, number, GeneratedKind[]]>([
    ['addresses through start-up', 20_000, ['addresses that a page is opened with']],
    ['messages to frame and popup', 20_000, ['messages to the window']],
    ['tokens', 20_000, ['tokens']],
    ['bodies of token answers', 5000, ['token answers']],
    ['poisoned storage values', 2000, ['poisoned values beside a session']],
    ['deep links that come back', 2000, ['deep links through a sign-in']],
    ['editor texts', 3000, ['broken JSON texts']],
    ['real-time messages', 10_000, ['real-time messages', 'real-time messages to a session']],
  ])('%s: %i and more', (_what, least, of) => {
    expect(count(...of)).toBeGreaterThanOrEqual(least)
  })

  it.each(kinds)('%s: one test takes its number from the table', (kind) => {
    const users = files.filter(({ text }) =>
      new RegExp(`(?:checkGenerated|generatedRuns)\\(\\s*'${kind}'`).test(text),
    )
    expect(users.map(({ path }) => path)).toHaveLength(1)
  })

  it('come from the table alone: no test sets a number of its own', () => {
    expect(files.length).toBeGreaterThan(90)
    expect(files.filter(({ text }) => /\bfc\.(?:assert|check)\(/.test(text)).map(({ path }) => path)).toEqual(
      [],
    )
  })

  it('fill the batches that a property takes, so that no number is rounded down', () => {
    for (const kind of kinds) {
      const {
        count: wanted,
        batch = 1,
        rows = 1,
      }: { count: number; batch?: number; rows?: number } = GENERATED[kind]
      expect(wanted % (batch * rows), kind).toBe(0)
    }
  })
})
