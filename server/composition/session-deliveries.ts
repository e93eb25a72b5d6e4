import type { SessionDelivery } from '../../src/wire/management/session.js';
import type { DeliveryReader } from '../http/management/session-routes.js';
import type { MediaEngine } from '../media/engine/media-engine.js';
import type { Delivery } from '../media/engine/media-figures.js';
import type { StoredSession } from '../oversight/session-record.js';
import type { SessionRecorder } from './session-recorder.js';
import type { Sessions } from '../sessions/sessions.js';
import { streamIdOf } from '../streams/stream-id.js';

export interface SessionDeliveriesOptions {
  readonly engine: Pick<MediaEngine, 'deliveries'>;
  readonly sessions: Pick<Sessions, 'byMediaId'>;
  readonly recorder: Pick<SessionRecorder, 'openSessions'>;
}

/** What the viewers of recorded sessions are being sent now. The media engine is asked for it only then. */
export class SessionDeliveries implements DeliveryReader {
  readonly #options: SessionDeliveriesOptions;

  constructor(options: SessionDeliveriesOptions) {
    this.#options = options;
  }

  /**
   * @param records sessions of any streams, open or ended
   * @returns by the id of the record. Empty without the media engine: the records are worth showing nevertheless
   */
  async of(records: readonly StoredSession[]): Promise<ReadonlyMap<string, SessionDelivery>> {
    const open = records.filter(({ role, endedOn }) => role === 'viewer' && endedOn === null);
    const streamIds = new Set(open.map(({ accountId, streamName }) => streamIdOf(accountId, streamName)));
    const bySession = new Map<string, Delivery>();
    for (const streamId of streamIds) {
      for (const delivery of await this.#options.engine.deliveries(streamId).catch(() => [])) {
        const session = this.#options.sessions.byMediaId(delivery.sessionId);
        if (session) bySession.set(session.id, delivery);
      }
    }
    const byRecord = open.flatMap(({ id, accountId, streamName }): (readonly [string, SessionDelivery])[] => {
      const ids = this.#options.recorder.openSessions(streamIdOf(accountId, streamName), id);
      const delivery = ids.map((sessionId) => bySession.get(sessionId)).find((found) => found !== undefined);
      return delivery ? [[id, deliveryBody(delivery)]] : [];
    });
    return new Map(byRecord);
  }
}

function deliveryBody({ bitrate, availableBitrate, layer, failedSends }: Delivery): SessionDelivery {
  return {
    bitrate,
    availableBitrate: availableBitrate ?? null,
    encoding: layer?.encodingId ?? null,
    spatialLayer: layer?.spatialLayerId ?? null,
    temporalLayer: layer?.temporalLayerId ?? null,
    width: layer?.width ?? 0,
    height: layer?.height ?? 0,
    failedSends,
  };
}
