/**
 * The engine's own process: `embedded-engine.ts` forks it and talks to it. It lives as long as the channel to its
 * parent, and no longer.
 */
import { cleanup, initLogger } from 'node-datachannel';
import { MediaError, type MediaEngineEvents, type MediaSession, type ViewingSession } from '../../media-engine.js';
import type {
  WorkerRequest,
  EngineEventMessage,
  MessageFromWorker,
  MessageToWorker,
  WorkerResponse,
} from './worker-messages.js';
import { Relay } from '../relay/relay.js';
import { Sfu } from './sfu.js';
import { removeSocketDirectoryOf } from '../relay/socket-directory.js';

const publishers = new Map<string, MediaSession>();
const viewers = new Map<string, ViewingSession>();
let sfu: Sfu | undefined;
let relay: Relay | undefined;
let ownRelayPath: string | undefined;

const EVENTS: readonly (keyof MediaEngineEvents)[] = [
  'live',
  'updated',
  'ended',
  'layers',
  'reachable',
  'session-lost',
];

type UnnumberedResult = WorkerResponse extends infer Result
  ? Result extends WorkerResponse
    ? Omit<Result, 'call'>
    : never
  : never;

process.on('message', (request: MessageToWorker) => void act(request));
process.on('disconnect', () => void leave({ serverIsGone: true }));
// A terminal's Ctrl-C and some supervisors signal the whole group: the parent decides when this ends.
process.on('SIGINT', () => {});
process.on('SIGTERM', () => {});

function report(message: MessageFromWorker): void {
  if (process.connected) process.send?.(message);
}

async function act(request: MessageToWorker): Promise<void> {
  switch (request.type) {
    case 'start':
      return start(request);
    case 'follow':
      relay?.follow(request.stream, request.home);
      return;
    case 'ping':
      return report({ type: 'pong' });
    case 'close':
      return leave();
    default:
      try {
        report({ ...(await answer(request)), call: request.call });
      } catch (error) {
        report(refusal(request.call, error));
      }
  }
}

/** Each ends one session, and no other. */
function reportFault(error: unknown): void {
  const fault = error instanceof Error ? (error.stack ?? error.message) : String(error);
  report({
    type: 'log',
    entry: { level: 'error', message: 'a packet ended a media session by a fault of ours', fault },
  });
}

async function start({ options, relayPath }: Extract<MessageToWorker, { type: 'start' }>): Promise<void> {
  ownRelayPath = relayPath;
  const message = 'the WebRTC library reports a fault';
  initLogger('Error', (_level, fault) => report({ type: 'log', entry: { level: 'warn', message, fault } }));
  try {
    const opened = (sfu = await Sfu.open(options, reportFault));
    if (relayPath !== undefined) relay = await Relay.open(relayPath, (stream) => opened.acquireRouter(stream));
  } catch (error) {
    report({ type: 'not-started', message: error instanceof Error ? error.message : String(error) });
    return leave();
  }
  for (const type of EVENTS) sfu.on(type, (...event: unknown[]) => report({ type, event } as EngineEventMessage));
  sfu.on('session-lost', forget);
  report({ type: 'ready', ports: { udpPort: sfu.udpPort, tcpPort: sfu.tcpPort } });
}

async function answer(request: WorkerRequest): Promise<UnnumberedResult> {
  if (!sfu) throw new MediaError('engine_unavailable', 'the media engine has not started');
  switch (request.type) {
    case 'publish': {
      const session = await sfu.publish(request.stream, request.offer, request.options);
      publishers.set(session.id, session);
      return { type: 'published', session: session.id, answer: session.answer };
    }
    case 'view': {
      const session = await sfu.view(request.stream, request.offer, request.options);
      viewers.set(session.id, session);
      // Who is answered may ask for any source that there is.
      await relay?.whenReady(request.stream);
      const { id, answer, mids } = known(viewers.get(session.id));
      return { type: 'viewing', session: id, answer, mids };
    }
    case 'stats':
      return { type: 'stats', stats: await sfu.stats(request.stream) };
    case 'renew':
      return { type: 'renewed', answer: await known(sessionOf(request.session)).renew(request.offer) };
    case 'select':
      await known(viewers.get(request.session)).select(request.layer);
      return { type: 'done' };
    case 'project':
      await known(viewers.get(request.session)).project(request.sourceId, request.projections);
      return { type: 'done' };
    case 'unproject':
      await known(viewers.get(request.session)).unproject(request.mediaIds);
      return { type: 'done' };
    case 'close-session':
      sessionOf(request.session)?.close();
      forget(request.session);
      return { type: 'done' };
  }
}

function sessionOf(id: string): MediaSession | undefined {
  return publishers.get(id) ?? viewers.get(id);
}

function forget(id: string): void {
  publishers.delete(id);
  viewers.delete(id);
}

function known<Session>(session: Session | undefined): Session {
  if (!session) throw new MediaError('engine_unavailable', 'the session is over');
  return session;
}

function refusal(call: number, error: unknown): MessageFromWorker {
  if (error instanceof MediaError) return { type: 'refused', call, code: error.code, message: error.message };
  const message = error instanceof Error ? error.message : String(error);
  report({ type: 'log', entry: { level: 'error', message: 'the media engine failed at a call', error: message } });
  return { type: 'refused', call, code: 'engine_unavailable', message: 'the media engine could not do it' };
}

let leaving = false;

async function leave({ serverIsGone = false } = {}): Promise<void> {
  if (leaving) return;
  leaving = true;
  await sfu?.close();
  await relay?.close();
  if (serverIsGone && ownRelayPath !== undefined) await removeSocketDirectoryOf(ownRelayPath);
  cleanup();
  // The channel would keep the process alive, and a report on its way would be cut off by exit().
  if (process.connected) process.disconnect();
}
