// Fails if a page loads more of the package than its limit, or more than two files.
import { EDITOR_LIMIT_IN_BYTES, measureEditor, measureFirstLoads, MOST_FILES } from './firstLoads.ts'

for (const one of await measureFirstLoads()) {
  const { app, bundler, bytes, files, bytesWithCalls, limitInBytes, limitWithCallsInBytes } = one
  const isTooMuch = bytes > limitInBytes || bytesWithCalls > limitWithCallsInBytes || files > MOST_FILES
  if (isTooMuch) process.exitCode = 1
  console.log(
    `${isTooMuch ? 'FAIL' : 'ok  '} ${app}, ${bundler}: ${bytes} bytes in ${files} file(s), ${bytesWithCalls} with auth.fetch; the limits are ${limitInBytes}, ${MOST_FILES} and ${limitWithCallsInBytes}`,
  )
}

const bytes = await measureEditor()
const isTooMuch = bytes > EDITOR_LIMIT_IN_BYTES
if (isTooMuch) process.exitCode = 1
console.log(
  `${isTooMuch ? 'FAIL' : 'ok  '} JSON editor before its first key, Vite: ${bytes} bytes; the limit is ${EDITOR_LIMIT_IN_BYTES}`,
)
