import { reportFault } from '../../../faults/fault.js';
import type { MediaEngineEvents } from '../../engine/media-engine.js';
import { MediaError } from '../../engine/media-error.js';
import { Relay } from '../relay/relay.js';
import { removeSocketDirectoryOf } from '../relay/socket-directory.js';
import type { PeerMediaSession } from '../transport/peer-session-set.js';
import { loadedLibrary } from '../transport/webrtc-library.js';
import { ServerRelays } from './server-relays.js';
import { Sfu, type SfuPublishingSession, type SfuViewingSession } from './sfu.js';
import type {
  EngineEventMessage,
  MessageFromWorker,
  MessageToWorker,
  ResponseWithoutId,
  WorkerRequest,
} from './worker-messages.js';

const EVENTS: readonly (keyof MediaEngineEvents)[] = [
  'live',
  'updated',
  'ended',
  'layers',
  'reception',
  'reachable',
  'paused',
  'network',
  'session-lost',
];

/** The worker's side of the messages: runs an `Sfu` and a `Relay` for the server process. */
export class WorkerServer {
  readonly #send: (message: MessageFromWorker) => void;
  readonly #onClosed: () => void;
  /** By session id. */
  readonly #publishers = new Map<string, SfuPublishingSession>();
  readonly #viewers = new Map<string, SfuViewingSession>();
  #sfu: Sfu | undefined;
  #relay: Relay | undefined;
  #serverRelays: ServerRelays | undefined;
  #relayPath: string | undefined;
  #closing = false;

  /** @param onClosed everything is released, and the process can exit */
  constructor(send: (message: MessageFromWorker) => void, onClosed: () => void) {
    this.#send = send;
    this.#onClosed = onClosed;
  }

  async onMessage(message: MessageToWorker): Promise<void> {
    switch (message.type) {
      case 'start':
        return this.#start(message);
      case 'follow':
        this.#relay?.follow(message.stream, message.home);
        return;
      case 'publish-until':
        this.#sfu?.publishingDeadline.set(message.time);
        return;
      case 'ping':
        return this.#send({ type: 'pong' });
      case 'close':
        return this.close();
      default:
        try {
          this.#send({ ...(await this.#respond(message)), requestId: message.requestId });
        } catch (error) {
          this.#send(this.#refusal(message.requestId, error));
        }
    }
  }

  /** @param serverIsGone also removes the directory of the relay sockets, which the server would remove */
  async close({ serverIsGone = false } = {}): Promise<void> {
    if (this.#closing) return;
    this.#closing = true;
    this.#serverRelays?.closeAll();
    await this.#sfu?.close();
    await this.#relay?.close();
    if (serverIsGone && this.#relayPath !== undefined) await removeSocketDirectoryOf(this.#relayPath);
    this.#onClosed();
  }

  async #start({ options, relayPath }: Extract<MessageToWorker, { type: 'start' }>): Promise<void> {
    this.#relayPath = relayPath;
    let sfu: Sfu;
    try {
      sfu = this.#sfu = await Sfu.open(options, {
        onFault: (error) => reportFault('media', error),
        onLog: (entry) => this.#send({ type: 'log', entry }),
        onFigures: (figures) => this.#send({ type: 'figures', figures }),
      });
      const host = {
        acquireRouter: (stream: string) => sfu.acquireRouter(stream),
        mustTake: (stream: string) => sfu.mustTake(stream),
        onPacket: () => sfu.arrivalWindow().now,
        publishingDeadline: sfu.publishingDeadline,
      };
      this.#relay = await Relay.open(relayPath, host);
      const onLost = (id: string) => this.#send({ type: 'session-lost', event: [id, 'transport_lost'] });
      this.#serverRelays = new ServerRelays({ sfu, host, onLost });
    } catch (error) {
      this.#send({ type: 'not-started', message: error instanceof Error ? error.message : String(error) });
      return this.close();
    }
    for (const type of EVENTS) {
      sfu.on(type, (...event: unknown[]) => this.#send({ type, event } as EngineEventMessage));
    }
    sfu.on('session-lost', (id) => this.#forget(id));
    this.#send({ type: 'ready', ports: { udpPort: sfu.udpPort, tcpPort: sfu.tcpPort }, library: loadedLibrary() });
  }

  async #respond(request: WorkerRequest): Promise<ResponseWithoutId> {
    const sfu = this.#sfu;
    const relays = this.#serverRelays;
    if (!sfu || !relays) throw new MediaError('engine_unavailable', 'the media engine has not started');
    switch (request.type) {
      case 'publish': {
        const session = await sfu.publish(request.stream, request.offer, request.options);
        this.#publishers.set(session.id, session);
        return { type: 'published', session: session.id, answer: session.answer };
      }
      case 'view': {
        const session = await sfu.view(request.stream, request.offer, request.options);
        this.#viewers.set(session.id, session);
        // After the answer, the viewer may project any source of the stream.
        await this.#relay?.whenReady(request.stream);
        const { id, answer, mids } = existing(this.#viewers.get(session.id));
        try {
          // The sources of another worker are known only now.
          session.mustDecode();
        } catch (error) {
          this.#forget(id);
          throw error;
        }
        return { type: 'viewing', session: id, answer, mids };
      }
      case 'stats':
        return { type: 'stats', stats: await sfu.stats(request.stream) };
      case 'deliveries':
        return { type: 'deliveries', deliveries: await sfu.deliveries(request.stream) };
      case 'keyframe': {
        const keyframe = await sfu.keyframe(request.stream, request.sourceId);
        return { type: 'keyframe', keyframe: keyframe && { ...keyframe, data: keyframe.data.toString('base64') } };
      }
      case 'relay-send': {
        const { id, answer } = await relays.send(request.stream, request.offer);
        return { type: 'relay-answer', session: id, answer };
      }
      case 'relay-offer': {
        const { id, offer } = await relays.offer(request.stream);
        return { type: 'relay-offered', session: id, offer };
      }
      case 'relay-accept':
        await relays.accept(request.session, request.answer);
        return { type: 'done' };
      case 'renew':
        return { type: 'renewed', answer: await existing(this.#session(request.session)).renew(request.offer) };
      case 'limit-bitrate':
        await existing(this.#publishers.get(request.session)).limitBitrate(request.maxBitrate);
        return { type: 'done' };
      case 'select':
        await existing(this.#viewers.get(request.session)).select(request.layer);
        return { type: 'done' };
      case 'project':
        await existing(this.#viewers.get(request.session)).project(request.sourceId, request.projections);
        return { type: 'done' };
      case 'unproject':
        await existing(this.#viewers.get(request.session)).unproject(request.mediaIds);
        return { type: 'done' };
      case 'close-session':
        if (relays.close(request.session)) return { type: 'done' };
        this.#session(request.session)?.close();
        this.#forget(request.session);
        return { type: 'done' };
    }
  }

  #session(id: string): PeerMediaSession | undefined {
    return this.#publishers.get(id) ?? this.#viewers.get(id);
  }

  #forget(id: string): void {
    this.#publishers.delete(id);
    this.#viewers.delete(id);
  }

  #refusal(requestId: number, error: unknown): MessageFromWorker {
    if (error instanceof MediaError) return { type: 'refused', requestId, code: error.code, message: error.message };
    reportFault('media', error);
    return { type: 'refused', requestId, code: 'engine_unavailable', message: 'the media engine failed' };
  }
}

function existing<Session>(session: Session | undefined): Session {
  if (!session) throw new MediaError('engine_unavailable', 'the session has ended');
  return session;
}
