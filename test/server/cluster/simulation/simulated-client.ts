import type { ClientEvent } from '../../../../server/streams/stream-event.js';
import { streamIdOf, type StreamId } from '../../../../server/streams/stream-id.js';
import { PublisherSession } from '../../../../server/sessions/publisher-session.js';
import type { ViewerSession } from '../../../../server/sessions/viewer-session.js';
import type { SourceId } from '../../../../server/media/engine/media-track.js';
import type { TokenRecord } from '../../../../server/tokens/token-record.js';
import { sdpOffer } from '../../../support/media/offer.js';
import type { SimulatedCluster } from './simulated-cluster.js';
import { ACCOUNT, type SimulatedServer } from './simulated-server.js';

const PUBLISHER_OFFER = sdpOffer({ direction: 'sendonly' });
const VIEWER_OFFER = sdpOffer();
/** Without an answer, or a sign of life, a client asks elsewhere. */
const PATIENCE_MS = 6_000;
const FRAME_AFTER_MS = 50;

/** One attempt to have a session, and the session. */
interface Visit {
  readonly server: SimulatedServer;
  isOver: boolean;
  session?: PublisherSession | ViewerSession;
  isConnected: boolean;
  /** The sources that are live, as the client was told. */
  readonly liveSources: Set<SourceId>;
}

export interface ClientOptions {
  readonly role: 'publish' | 'subscribe';
  readonly streamName: string;
  readonly token: Pick<TokenRecord, 'token'>;
  readonly sourceId?: SourceId;
  /** Publishers: it keeps its name for a while when it is lost. */
  readonly resumable?: boolean;
}

/** A broadcaster or a viewer, who comes back until told to leave. */
export class SimulatedClient {
  readonly options: ClientOptions;
  readonly streamId: StreamId;
  readonly #cluster: SimulatedCluster;
  #visit: Visit | undefined;
  #wants = true;
  #sessionKey: string | undefined;

  constructor(cluster: SimulatedCluster, options: ClientOptions) {
    this.#cluster = cluster;
    this.options = options;
    this.streamId = streamIdOf(ACCOUNT, options.streamName);
    this.#comeIn(cluster.chance.between(0, 500));
  }

  /** Where it is connected, and knows it. */
  get connectedTo(): SimulatedServer | undefined {
    return this.#visit?.isConnected ? this.#visit.server : undefined;
  }

  get session(): PublisherSession | ViewerSession | undefined {
    return this.#visit?.session;
  }

  get isLive(): boolean {
    return (this.#visit?.liveSources.size ?? 0) > 0;
  }

  /** It ends its session, and does not come back. */
  leave(): void {
    this.#wants = false;
    const visit = this.#end();
    if (visit) this.#tell(visit, () => visit.session?.end());
  }

  /** Its network is gone for a moment. */
  drop(): void {
    const visit = this.#end();
    if (!visit) return;
    this.#tell(visit, () => visit.session?.connectionLost());
    this.#comeIn();
  }

  #end(): Visit | undefined {
    const visit = this.#visit;
    this.#visit = undefined;
    if (visit) visit.isOver = true;
    return visit;
  }

  #tell({ server }: Visit, run: () => void): void {
    const { time, chance } = this.#cluster;
    time.after(chance.delayMs(200), server.process, run);
  }

  #comeIn(afterMs = this.#cluster.chance.between(200, 3_000)): void {
    this.#cluster.time.after(afterMs, undefined, () => {
      if (!this.#wants || this.#visit) return;
      const server = this.#cluster.anyServer();
      if (server) this.#ask(server);
      else this.#comeIn();
    });
  }

  #ask(server: SimulatedServer, isSentOn = false): void {
    const { time, chance } = this.#cluster;
    const visit: Visit = { server, isOver: false, isConnected: false, liveSources: new Set() };
    this.#visit = visit;
    const startsAgain = () => {
      if (this.#visit === visit) this.drop();
    };
    const watch = (): void => {
      time.after(PATIENCE_MS, undefined, () => {
        if (visit.isOver) return;
        if (visit.isConnected && server.process.state === 'running') watch();
        else startsAgain();
      });
    };
    watch();
    time.after(chance.delayMs(200), server.process, async () => {
      const elsewhere = await this.#enter(visit).catch(() => undefined);
      time.after(chance.delayMs(200), undefined, () => {
        if (this.#visit !== visit || visit.isConnected) return;
        const next = elsewhere === undefined || isSentOn ? undefined : this.#cluster.serverAt(elsewhere);
        if (!next) return startsAgain();
        this.#end();
        this.#ask(next, true);
      });
    });
  }

  /** Runs on the server. @returns the address of the server that the client is sent to */
  async #enter(visit: Visit): Promise<string | undefined> {
    const { role, streamName, token, sourceId } = this.options;
    const { admission, sessions, places, entrance } = visit.server;
    entrance.requireOpen();
    const attempt = { token: token.token, accountId: ACCOUNT, streamName, origin: undefined, address: '192.0.2.1' };
    const result = await admission.admit(role, { ...attempt, sourceId, sessionKey: this.#sessionKey });
    if (!result.admitted) return undefined;
    const { grant } = result;
    const elsewhere = places.placeOf(grant.role, this.streamId);
    if (elsewhere !== undefined) return elsewhere;
    entrance.requireOpen();
    const session = sessions.open(grant, {
      send: (event) => this.#received(visit, event),
      stop: ({ code }) => this.#stopped(visit, code),
    });
    visit.session = session;
    try {
      await (session instanceof PublisherSession ? this.#publish(visit, session) : this.#view(session));
    } catch (error) {
      session.abandon();
      throw error;
    }
    if (visit.isOver) session.connectionLost();
    else visit.isConnected = true;
    return undefined;
  }

  async #publish({ server }: Visit, session: PublisherSession): Promise<void> {
    const { time } = this.#cluster;
    const { sourceId = null, resumable } = this.options;
    await session.publish(PUBLISHER_OFFER, { sourceId, resumable });
    this.#cluster.acknowledged(server, this.streamId);
    if (resumable) this.#sessionKey = session.sessionKey;
    time.after(FRAME_AFTER_MS, server.process, () => server.engine.sendFrame(this.streamId, sourceId));
  }

  async #view(session: ViewerSession): Promise<void> {
    await session.view(VIEWER_OFFER);
    session.startEvents();
  }

  #received(visit: Visit, event: ClientEvent): void {
    const { name } = event;
    if (event.name === 'active') visit.liveSources.add(event.data.sourceId);
    if (event.name === 'inactive') visit.liveSources.delete(event.data.sourceId);
    if (name !== 'migrate' || this.#visit !== visit || this.options.role === 'publish') return;
    this.#end();
    this.#tell(visit, () => visit.session?.end());
    this.#comeIn();
  }

  #stopped(visit: Visit, code: string): void {
    visit.isOver = true;
    if (this.#visit !== visit) return;
    this.#visit = undefined;
    if (code === 'displaced') this.#wants = false;
    else this.#comeIn();
  }
}
