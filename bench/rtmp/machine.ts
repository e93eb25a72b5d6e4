import { setTimeout as delay } from 'node:timers/promises';
import type { Browser } from 'playwright';
import type { RestTokens } from '../../test/support/rest-tokens.js';
import { words } from '../../test/support/run-encoder.js';
import type { ServerProcess } from '../../test/support/server-process.js';
import type { TimeCodedVideo } from './time-code.js';

/** What the parts of the benchmark share. */
export interface Machine {
  readonly ffmpeg: string;
  readonly server: ServerProcess;
  readonly browser: Browser;
  readonly tokens: RestTokens;
  readonly rtmp: (streamName: string, token: string) => string;
}

export const PICTURE = { width: 1_280, height: 720, framesPerSecond: 30 } as const;
/** What WHIP encoders offer, so that both ways have the same codec. */
export const BASELINE = words('-c:v libx264 -preset ultrafast -tune zerolatency -profile:v baseline -pix_fmt yuv420p');

const LIVE_WITHIN_MS = 30_000;

/** Waits until viewers can join the stream. @throws {Error} it does not go live */
export async function isLive(server: ServerProcess, streamName: string, video?: TimeCodedVideo): Promise<void> {
  for (const deadline = performance.now() + LIVE_WITHIN_MS; performance.now() < deadline; await delay(100)) {
    const response = await fetch(`${server.origin}/api/director/subscribe`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ streamName, streamAccountId: 'main' }),
    });
    if (response.status === 200) return;
  }
  throw new Error(`${streamName} did not go live. ${video?.errors ?? ''}`);
}
