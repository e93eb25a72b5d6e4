import type { EventEmitter } from 'node:events';
import { GrantLedger } from '../../admission/grant-ledger.js';
import { ApiError } from '../../errors.js';
import type { MediaEngine, MediaEngineEvents } from '../../media/engine/media-engine.js';
import { MediaError } from '../../media/engine/media-error.js';
import type { ConnectedMedia } from '../../media/engine/media-session.js';
import type { ClusterNode } from '../cluster-node.js';
import type { RelayAnswer, RelayRequest } from './relay-message.js';
import type { RelayPasses } from './relay-pass.js';
import type { StreamId } from '../../streams/stream-id.js';

export interface RelayOriginOptions {
  readonly node: Pick<ClusterNode, 'identity' | 'epoch'>;
  readonly passes: RelayPasses;
  readonly engine: Pick<MediaEngine, 'canRelay' | 'sendRelay'> & Pick<EventEmitter<MediaEngineEvents>, 'on'>;
  /** Whether this server has a source of the stream. */
  readonly hasStream: (streamId: StreamId) => boolean;
  /** Milliseconds since 1970, on every server the same. */
  readonly now: () => number;
}

/** An engine that has no publisher at the moment may have one again soon. */
const RETRY_SECONDS = 1;

/** Sends streams of this server to the servers that ask for them. */
export class RelayOrigin {
  readonly #options: RelayOriginOptions;
  readonly #spent = new GrantLedger();
  readonly #relays = new Map<string, ConnectedMedia>();

  constructor(options: RelayOriginOptions) {
    this.#options = options;
    options.engine.on('session-lost', (id) => this.#relays.delete(id));
  }

  /** How many relays other servers receive. */
  get sent(): number {
    return this.#relays.size;
  }

  /** @throws {ApiError} `relay_refused`, `relay_stale`, `engine_unavailable`, `invalid_sdp` */
  async answer({ pass: signed, offer }: RelayRequest): Promise<RelayAnswer> {
    const { passes, engine, now } = this.#options;
    const check = passes.check(signed, offer, now());
    if (!check.ok || !this.#spent.spend(check.id, check.expiresAt, now())) {
      throw new ApiError(401, 'relay_refused', 'This is not a pass of a server on the same database');
    }
    const { pass } = check;
    const mustBeCurrent = (): void => {
      if (this.#has(pass)) return;
      throw new ApiError(409, 'relay_stale', 'This server does not have the stream, or no longer has it');
    };
    mustBeCurrent();
    if (!engine.sendRelay || !engine.canRelay?.(pass.streamId))
      throw unavailable('The media engine of this server sends no streams to other servers');
    const relay = await engine.sendRelay(pass.streamId, offer).catch(rethrow);
    this.#relays.set(relay.id, relay);
    try {
      mustBeCurrent();
    } catch (error) {
      this.#relays.delete(relay.id);
      relay.close();
      throw error;
    }
    return { answer: relay.answer, proof: passes.prove(signed, relay.answer) };
  }

  /** This server may not have its streams any more. */
  closeAll(): void {
    for (const relay of this.#relays.values()) relay.close();
    this.#relays.clear();
  }

  #has({ to, epoch, streamId }: { readonly to: string; readonly epoch: number; readonly streamId: StreamId }): boolean {
    const { node, hasStream } = this.#options;
    return to === node.identity.id && epoch === node.epoch?.epoch && hasStream(streamId);
  }
}

function unavailable(message: string, options?: ErrorOptions): ApiError {
  return new ApiError(503, 'engine_unavailable', message, {
    ...options,
    headers: { 'retry-after': String(RETRY_SECONDS) },
  });
}

function rethrow(error: unknown): never {
  if (!(error instanceof MediaError)) throw error;
  if (error.code === 'engine_unavailable') throw unavailable(error.message, { cause: error });
  throw new ApiError(400, error.code, error.message, { cause: error });
}
