import { connect } from 'node:net';
import type { Finding, HealthCheck } from './health-checks.js';
import { ownAddress } from './own-address.js';

/** C0 and C1 of the handshake: https://rtmp.veriskope.com/docs/spec/#52handshake */
const HELLO = Buffer.concat([Buffer.of(3), Buffer.alloc(1_536)]);
const ANSWER_MS = 5_000;

export interface RtmpCheckOptions {
  /** Undefined: all addresses. */
  readonly host: string | undefined;
  readonly port: number;
}

/** Connects as an encoder does, until the server answers the handshake. */
export function rtmpCheck({ host, port }: RtmpCheckOptions): HealthCheck {
  const address = ownAddress(host);
  return {
    component: 'rtmp',
    async check() {
      const why = await handshakeFault(address, port);
      if (why === undefined) return undefined;
      const message = `Encoders cannot connect over RTMP: ${why}`;
      return { level: 'problem', code: 'rtmp_unavailable', message } satisfies Finding;
    },
  };
}

/** @returns undefined: the handshake is answered */
function handshakeFault(host: string, port: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>();
  const socket = connect({ host, port }, () => socket.write(HELLO));
  socket.setTimeout(ANSWER_MS, () => resolve('no answer'));
  socket.once('data', ([version]) => resolve(version === 3 ? undefined : 'a wrong answer'));
  socket.once('error', ({ message }) => resolve(message));
  socket.once('close', () => resolve('the connection was closed'));
  return promise.finally(() => socket.destroy());
}
