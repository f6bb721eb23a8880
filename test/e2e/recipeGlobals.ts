// What the page of the recipe "The token itself" puts beside its window, for the test to call.
import type { Auth } from '../../src/index.ts'

export declare const auth: Auth
export declare function openStream(auth: Auth, address: string): Promise<WebSocket>
export declare function withBearer(
  auth: Auth,
  origin: string,
): (request: { url: string; headers: Headers }) => Promise<{ headers: Headers }>
