// An app's own folder outside the repository, with the packed package installed as npm installs it for anybody.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

const isWindows = process.platform === 'win32'
const { devDependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  devDependencies: Record<string, string>
}

export interface Sandbox {
  readonly path: string
  write(files: Readonly<Record<string, string>>): void
  read(path: string): string
  /** The files of a folder. */
  list(path: string): string[]
  /** Runs a program of its node_modules/.bin; throws with all that it said when it fails. */
  run(program: string, ...words: string[]): string
  /** The same, without throwing. */
  attempt(program: string, ...words: string[]): { status: number | null; output: string }
}

export interface Sandboxes {
  /** A folder with these packages, installed once; versions of packages that the repository has too are the repository's own. */
  open(name: string, packages: readonly string[]): Sandbox
  close(): void
}

export function packSandboxes(): Sandboxes {
  const root = mkdtempSync(join(tmpdir(), 'latchkey-consumers-'))
  const answer = execFileSync('npm', ['pack', '--json', '--ignore-scripts', '--pack-destination', root], {
    encoding: 'utf8',
    shell: isWindows,
  })
  const [{ filename }] = JSON.parse(answer) as [{ filename: string }]
  const tarball = join(root, filename)
  const opened = new Map<string, Sandbox>()

  return {
    open(name, packages) {
      const known = opened.get(name)
      if (known) return known
      const path = join(root, name)
      mkdirSync(path)
      const sandbox = sandboxIn(path)
      sandbox.write({
        'package.json': JSON.stringify({ name, version: '1.0.0', private: true, type: 'module' }),
      })
      const words = packages.map((word) =>
        word in devDependencies ? `${word}@${devDependencies[word]}` : word,
      )
      const quiet = ['--save-exact', '--prefer-offline', '--no-audit', '--no-fund', '--loglevel=error']
      execFileSync('npm', ['install', tarball, ...words, ...quiet], {
        cwd: path,
        shell: isWindows,
        stdio: 'pipe',
      })
      opened.set(name, sandbox)
      return sandbox
    },
    close: () => rmSync(root, { recursive: true, force: true, maxRetries: 5 }),
  }
}

/** The page of an app whose script is at this address. */
export const pageWith = (script: string, title = 'Admin'): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title></head><body><div id="root"></div><script type="module" src="${script}"></script></body></html>`

function sandboxIn(path: string): Sandbox {
  const attempt: Sandbox['attempt'] = (program, ...words) => {
    const isNode = program === 'node'
    const command = isNode ? process.execPath : join(path, 'node_modules', '.bin', program)
    const { status, stdout, stderr, error } = spawnSync(command, words, {
      cwd: path,
      encoding: 'utf8',
      shell: isWindows && !isNode,
      env: { ...process.env, NO_COLOR: '1', NEXT_TELEMETRY_DISABLED: '1' },
    })
    return { status, output: `${stdout}${stderr}${error ? String(error) : ''}` }
  }
  return {
    path,
    attempt,
    write(files) {
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(path, file)), { recursive: true })
        writeFileSync(join(path, file), text)
      }
    },
    read: (file) => readFileSync(join(path, file), 'utf8'),
    list: (folder) => readdirSync(join(path, folder)),
    run(program, ...words) {
      const { status, output } = attempt(program, ...words)
      if (status !== 0) throw new Error(`${program} ${words.join(' ')} ended with ${status}:\n${output}`)
      return output
    },
  }
}

/** What a new app in TypeScript has. */
export const STRICT_TSCONFIG = JSON.stringify({
  compilerOptions: {
    target: 'es2022',
    module: 'esnext',
    moduleResolution: 'bundler',
    jsx: 'react-jsx',
    strict: true,
    skipLibCheck: true,
    noEmit: true,
  },
  include: ['src'],
})

/** A Vite config whose preview has the app's own API under /api: `code` declares the function `api(request, response)`. */
export const viteConfigWith = (code: string): string => `${code}export default {
  oxc: { jsx: { runtime: 'automatic' } },
  plugins: [{ name: 'api', configurePreviewServer: ({ middlewares }) => void middlewares.use('/api', api) }],
}
`
