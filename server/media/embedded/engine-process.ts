/**
 * The engine's own process: `embedded-engine.ts` forks it and talks to it. It lives as long as the channel to its
 * parent, and no longer.
 */
import { cleanup, initLogger } from 'node-datachannel';
import { MediaError, type MediaSession } from '../media-engine.js';
import type { EngineCall, EngineReport, EngineRequest } from './engine-messages.js';
import { Sfu } from './sfu.js';

const sessions = new Map<string, MediaSession>();
let sfu: Sfu | undefined;

process.on('message', (request: EngineRequest) => void act(request));
process.on('disconnect', () => void leave());
// A terminal's Ctrl-C and some supervisors signal the whole group: the parent decides when this ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

function report(message: EngineReport): void {
  if (process.connected) process.send?.(message);
}

async function act(request: EngineRequest): Promise<void> {
  switch (request.type) {
    case 'start':
      return start(request);
    case 'close-session':
      sessions.get(request.session)?.close();
      sessions.delete(request.session);
      return;
    case 'close':
      return leave();
    default:
      try {
        report(await answer(request));
      } catch (error) {
        report(refusal(request.call, error));
      }
  }
}

async function start({ options }: Extract<EngineRequest, { type: 'start' }>): Promise<void> {
  initLogger('Error', (_level, message) => report({ type: 'log', entry: { level: 'warn', message } }));
  try {
    sfu = await Sfu.open(options);
  } catch (error) {
    report({ type: 'not-started', message: error instanceof Error ? error.message : String(error) });
    return leave();
  }
  sfu.on('live', (...event) => report({ type: 'live', event }));
  sfu.on('ended', (...event) => report({ type: 'ended', event }));
  sfu.on('session-lost', (...event) => {
    sessions.delete(event[0]);
    report({ type: 'session-lost', event });
  });
  report({ type: 'ready', udpPort: sfu.udpPort });
}

async function answer(request: EngineCall): Promise<EngineReport> {
  const { call, stream } = request;
  if (!sfu) throw new MediaError('engine_unavailable', 'the media engine has not started');
  if (request.type === 'stats') return { type: 'stats', call, stats: await sfu.stats(stream) };
  const session =
    request.type === 'publish'
      ? await sfu.publish(stream, request.offer, request.codec && { codec: request.codec })
      : await sfu.view(stream, request.offer);
  sessions.set(session.id, session);
  return { type: 'session', call, session: session.id, answer: session.answer };
}

function refusal(call: number, error: unknown): EngineReport {
  if (error instanceof MediaError) return { type: 'refused', call, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  report({ type: 'log', entry: { level: 'error', message: 'the media engine failed at a call', error: message } });
  return { type: 'refused', call, code: 'engine_unavailable', message: 'the media engine could not do it' };
}

let leaving = false;

async function leave(): Promise<void> {
  if (leaving) return;
  leaving = true;
  await sfu?.close();
  cleanup();
  // The channel would keep the process alive, and a report on its way would be cut off by exit().
  if (process.connected) process.disconnect();
}
