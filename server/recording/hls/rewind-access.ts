import type { RewindBody } from '../../../src/wire/rewind.js';
import type { AccessAttempt } from '../../admission/access-request-factory.js';
import type { Admission } from '../../admission/admission.js';
import type { Grant, RequestContext } from '../../admission/grant.js';
import type { RewindPasses } from '../../admission/rewind-passes.js';
import type { TokenViewings } from '../../admission/token-viewings.js';
import { bindingAddress } from '../../addresses/ip-address.js';
import { AccessDeniedError, ApiError, denialMessage } from '../../errors.js';
import type { SourceId } from '../../media/engine/media-track.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { StreamRegistry } from '../../streams/stream-registry.js';
import type { RewindRecording } from '../rewind-source.js';
import type { Rewind } from './rewind.js';

export const REWIND_PATH = '/api/rewind';

export interface RewindAccessOptions {
  readonly rewind: Rewind;
  readonly admission: Pick<Admission, 'admit' | 'readmit' | 'limitsSessions'>;
  readonly passes: RewindPasses;
  readonly streams: Pick<StreamRegistry, 'stateOf'>;
  /** The viewings of tokens: a session is open, or not. */
  readonly viewings: Pick<TokenViewings, 'has' | 'takeNetwork'>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/**
 * Decides who may go back: the rules of every viewer, when they ask for an address and for each file. A token that
 * limits how many watch needs an open session, which is what is counted; a rewind takes no place of its own, and is
 * fetched from the few networks that one viewer has.
 */
export class RewindAccess {
  readonly #options: RewindAccessOptions;

  constructor(options: RewindAccessOptions) {
    this.#options = options;
  }

  /**
   * For a caller with a token, or none.
   * @throws {ApiError} `session_required`, and what `Rewind.find` throws @throws {AccessDeniedError}
   */
  async admit(attempt: AccessAttempt & { readonly accountId: string }, sourceId?: SourceId): Promise<RewindBody> {
    const { admission } = this.#options;
    const { accountId, streamName } = attempt;
    // The rules come first where they can: a caller who may not watch learns nothing about recordings.
    if (attempt.token !== undefined) {
      const result = await admission.admit('subscribe', attempt);
      if (!result.admitted) throw new AccessDeniedError(result.reason, { retryInMs: result.retryInMs });
      this.#requireSession(result.grant);
      return this.#answer(await this.#find(accountId, streamName, sourceId), result.grant);
    }
    const recording = await this.#find(accountId, streamName, sourceId).catch((error: unknown) => error);
    const recordedWith = isRecording(recording) ? recording.tokenId : undefined;
    const result = await admission.admit('subscribe', { ...attempt, recordedWith });
    if (!result.admitted) throw new AccessDeniedError(result.reason, { retryInMs: result.retryInMs });
    if (!isRecording(recording)) throw recording;
    return this.#answer(recording, result.grant);
  }

  /** For an open session. @throws as `admit` does */
  async ofSession(grant: Grant, sourceId?: SourceId): Promise<RewindBody> {
    const recording = await this.#find(grant.accountId, grant.streamName, sourceId);
    const result = await this.#options.admission.readmit({ ...grant, recordedWith: recording.tokenId }, grant);
    if (!result.admitted) throw new AccessDeniedError(result.reason);
    this.#requireSession(grant);
    return this.#answer(recording, grant);
  }

  /**
   * For a player that fetches a file of a recording.
   * @throws {ApiError} 403 with the code of the rule, `session_required`, `displaced`, `grant_invalid` or `grant_expired`; 404
   * `rewind_unavailable`
   */
  async open(recordingId: string, pass: string, { origin, address }: RequestContext): Promise<RewindRecording> {
    const { rewind, admission, passes, now } = this.#options;
    const check = passes.check(recordingId, pass, now());
    if (!check.ok) throw new ApiError(403, check.code, 'This address of the recording is not valid any more');
    const recording = await rewind.recording(recordingId);
    const grant = { ...check.grant, recordedWith: recording.tokenId };
    // Players of the same origin as the server send no Origin.
    const result = await admission.readmit(grant, { address, origin: origin ?? grant.origin });
    if (!result.admitted) throw new ApiError(403, result.reason, denialMessage(result.reason));
    this.#requireSession(grant);
    this.#requirePlace(grant, address);
    return recording;
  }

  #find(accountId: string, streamName: string, sourceId: SourceId | undefined): Promise<RewindRecording> {
    const { rewind, streams } = this.#options;
    const isLive = streams.stateOf(streamIdOf(accountId, streamName)).live;
    return rewind.find(accountId, streamName, { isLive, sourceId });
  }

  #requireSession(grant: Grant): void {
    const { admission, viewings } = this.#options;
    if (!admission.limitsSessions(grant) || viewings.has(grant.sessionId)) return;
    throw new ApiError(
      403,
      'session_required',
      'The token limits how many watch at the same time. Watch with the viewer, and go back there',
    );
  }

  /** An address of a recording can be passed on. Of a token with a limit, its viewing is watched by one client all the same. */
  #requirePlace(grant: Grant, address: string): void {
    const { admission, viewings } = this.#options;
    if (!admission.limitsSessions(grant) || viewings.takeNetwork(grant.sessionId, bindingAddress(address)) !== false) {
      return;
    }
    throw new ApiError(403, 'displaced', 'The recording is watched from another network with this address of it');
  }

  #answer(recording: RewindRecording, grant: Grant): RewindBody {
    const { rewind, passes, now } = this.#options;
    const { id, startedAt, isOpen } = recording;
    return {
      path: `${REWIND_PATH}/${id}/${passes.issue(id, grant, now())}/playlist.m3u8`,
      startedOn: new Date(startedAt).toISOString(),
      isLive: isOpen,
      seconds: rewind.seconds(recording),
    };
  }
}

function isRecording(found: unknown): found is RewindRecording {
  return !(found instanceof Error);
}
