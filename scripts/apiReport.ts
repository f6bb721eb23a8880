// Keeps etc/ a readable picture of every public name and type: checks it, or writes it anew with --update.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { Extractor, ExtractorConfig, ExtractorLogLevel } from '@microsoft/api-extractor'

const FOLDER = 'etc'
const SCRATCH = '.cache/api'
/** The report ends its lines as Windows does. */
const DIFF = '--no-pager -c core.safecrlf=false diff --no-index --unified=0 --ignore-cr-at-eol'.split(' ')

const isUpdate = process.argv.includes('--update')
const { name, exports } = JSON.parse(readFileSync('package.json', 'utf8')) as {
  name: string
  exports: Record<string, string | { types: string }>
}

mkdirSync(FOLDER, { recursive: true })
const changed = Object.entries(exports).flatMap(([entry, target]) =>
  typeof target === 'string' || reportEntry(entry, target.types) ? [] : [entry],
)
if (changed.length > 0 && !isUpdate) {
  console.error(`The public API differs from ${FOLDER}/ in: ${changed.join(', ')}`)
  console.error('If that is meant: npm run build && npm run api -- --update, and say it in the changelog.')
  process.exitCode = 1
}

/** Whether the report of one entry of package.json is up to date. */
function reportEntry(entry: string, types: string): boolean {
  const reportFileName = [name, ...entry.split('/').slice(1)].join('-')
  const config = ExtractorConfig.prepare({
    configObject: {
      projectFolder: resolve('.'),
      mainEntryPointFilePath: resolve(types),
      compiler: {
        overrideTsconfig: {
          compilerOptions: {
            target: 'es2022',
            lib: ['es2024', 'dom', 'dom.iterable'],
            module: 'esnext',
            moduleResolution: 'bundler',
            jsx: 'react-jsx',
            strict: true,
            skipLibCheck: true,
            types: [],
          },
          files: [resolve(types)],
        },
      },
      apiReport: {
        enabled: true,
        reportFileName,
        reportFolder: resolve(FOLDER),
        reportTempFolder: resolve(SCRATCH),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: ExtractorLogLevel.None } } },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: resolve('package.json'),
  })

  const result = Extractor.invoke(config, {
    localBuild: isUpdate,
    messageCallback: (message) => {
      message.handled = message.logLevel !== ExtractorLogLevel.Error
    },
  })
  if (result.apiReportChanged) printChanges(`${reportFileName}.api.md`)
  const silent =
    readFileSync(`${FOLDER}/${reportFileName}.api.md`, 'utf8').match(/\(undocumented\)\s*.*/g) ?? []
  for (const line of silent) console.error(`${entry}: without a docstring: ${line}`)
  return !result.apiReportChanged && result.errorCount === 0 && silent.length === 0
}

function printChanges(file: string) {
  const files = [`${FOLDER}/${file}`, `${SCRATCH}/${file}`]
  spawnSync('git', [...DIFF, ...files], { stdio: 'inherit' })
}
