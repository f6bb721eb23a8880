// The module by which the demo's servers tell the app where they are; made when the app is served.
declare module 'virtual:app-config' {
  export const appConfig: import('../appServer/appConfig.ts').AppConfig
}
