import type { EventEmitter } from 'node:events';
import { pino } from 'pino';
import type { Grant } from '../../server/admission/grant.js';
import type { EngineCapabilities } from '../../server/media/engine/engine-capabilities.js';
import { Sessions, type SessionsEventMap } from '../../server/sessions/sessions.js';
import type { StopNotice } from '../../server/sessions/stop-notice.js';
import type { ClientEvent } from '../../server/streams/stream-event.js';
import type { LeaseOutcome } from '../../server/streams/stream-leases.js';
import { SOLE_SERVER_LEASES } from '../../server/streams/stream-leases.js';
import { StreamRegistry } from '../../server/streams/stream-registry.js';
import { aGrant } from './grant.js';
import { FakeEngine } from './media/fake-engine.js';

/** What the client of a session got. */
export interface ToldClient {
  readonly events: ClientEvent[];
  readonly stops: StopNotice[];
}

/** Sessions over a media engine without a network, without the rest of a server. */
export class OpenedSessions {
  readonly engine = new FakeEngine();
  /** What the engine can do otherwise than `FakeEngine`. */
  capabilities: Partial<EngineCapabilities> = {};
  /** The answer of the other servers to the claim of a source. */
  lease: LeaseOutcome | Promise<LeaseOutcome> = 'held';
  /** The grants of publishers who found their source in use. */
  readonly inUse: Grant[] = [];
  readonly streams = new StreamRegistry(this.engine, {
    leases: { ...SOLE_SERVER_LEASES, claim: async () => await this.lease },
  });
  readonly sessions: Sessions;
  #count = 0;

  constructor(reportSeconds?: number) {
    this.sessions = new Sessions({
      engine: this.engine,
      capabilitiesOf: () => ({ ...this.engine.capabilities, ...this.capabilities }),
      streams: this.streams,
      admission: { recheck: () => ({ allowed: true }) },
      refusals: { sourceInUse: (grant) => void this.inUse.push(grant) },
      reportSeconds,
      log: pino({ level: 'silent' }),
    });
  }

  viewer(overrides: Partial<Grant> = {}) {
    const { told, client } = newClient();
    const grant = aGrant({ sessionId: this.#nextId(), ...overrides });
    return { session: this.sessions.openViewer(grant, client), ...told };
  }

  publisher(overrides: Partial<Grant> = {}) {
    const { told, client } = newClient();
    const grant = { ...aGrant({ role: 'Publish', sessionId: this.#nextId(), ...overrides }), tokenId: 1 };
    return { session: this.sessions.openPublisher(grant, client), ...told };
  }

  /** @returns what is emitted from now on, without the session */
  emitted(name: keyof SessionsEventMap): unknown[][] {
    const all: unknown[][] = [];
    const emitter: EventEmitter = this.sessions;
    emitter.on(name, (_session, ...rest) => void all.push(rest));
    return all;
  }

  #nextId(): string {
    return `session ${(this.#count += 1)}`;
  }
}

function newClient() {
  const told: ToldClient = { events: [], stops: [] };
  const client = {
    send: (event: ClientEvent) => void told.events.push(event),
    stop: (notice: StopNotice) => void told.stops.push(notice),
  };
  return { told, client };
}
