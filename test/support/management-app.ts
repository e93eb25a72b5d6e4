import type { Cleanup } from './cleanup.js';
import { streamServer } from './stream-server.js';

/** A server with the accounts `acme` and `other`, and the secret of `acme`. */
export async function managementApp(cleanup: Cleanup, env: Record<string, string> = {}) {
  const { server, origin, clock, engine, log } = await streamServer(cleanup, env);
  const { accounts, secrets, dashboard, tokens } = server;
  for (const id of ['acme', 'other']) await accounts.create(id);
  return { origin, clock, engine, log, secrets, dashboard, tokens, secret: await secrets.create('acme') };
}

export type ManagementApp = Awaited<ReturnType<typeof managementApp>>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON. */
  readonly body: ReturnType<typeof JSON.parse>;
}

/** One request with the secret of `acme`, which `headers` may replace. A string is sent unchanged. */
export async function ask(
  app: ManagementApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(app.origin + path, {
    method,
    headers: { authorization: `Bearer ${app.secret}`, 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, body: JSON.parse(await response.text()) };
}
