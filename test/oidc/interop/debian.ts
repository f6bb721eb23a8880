// What Debian has installed.
import { execFileSync } from 'node:child_process'

/** The version of the software in a package, without Debian's own number. */
export const debianVersion = (name: string): string =>
  execFileSync('dpkg-query', ['--show', '--showformat', '${Version}', name], { encoding: 'utf8' }).replace(
    /-[^-]*$/,
    '',
  )
