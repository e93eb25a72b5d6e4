import { ConflictError } from '../../errors.js';
import type { SourceId } from '../../media/engine/media-track.js';
import { streamIdOf } from '../../streams/stream-id.js';
import type { RecordingFiles } from '../recording-files.js';
import type { RecordingQuota } from '../recording-quota.js';
import { expiryOf, type RecordingRecord } from '../recording-record.js';
import type { RecordingStore } from '../recording-store.js';
import { planClip, planCut, type ClipPlan, type ClipRange } from './clip.js';
import type { OpenRecordings } from './open-recordings.js';
import { quotaExceeded } from './recording-starter.js';

export interface RecordingClipsOptions {
  readonly recordings: Pick<OpenRecordings, 'newestOf'>;
  readonly store: Pick<RecordingStore, 'add' | 'findAny'>;
  readonly files: Pick<RecordingFiles, 'nodeId'>;
  readonly quota: Pick<RecordingQuota, 'of'>;
  /** After how many days recordings of a publish token are deleted. Null: as the account has it. */
  readonly tokenRetentionDays: (tokenId: number) => number | null;
  /** The clip is stored: its file is to be cut. */
  readonly onPlanned: (plan: ClipPlan) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** Pieces of recordings that are recordings of their own. The file of a clip is ready a little later. */
export class RecordingClips {
  readonly #options: RecordingClipsOptions;

  constructor(options: RecordingClipsOptions) {
    this.#options = options;
  }

  /**
   * The last seconds of a stream that is being recorded, or was until some minutes ago.
   * @throws {ConflictError} `not_recorded`, `quota_exceeded`
   */
  async ofStream(
    accountId: string,
    streamName: string,
    { sourceId, seconds }: { readonly sourceId: SourceId; readonly seconds: number },
  ): Promise<RecordingRecord> {
    const { recordings, store, now } = this.#options;
    const open = recordings.newestOf(streamIdOf(accountId, streamName), sourceId);
    // The owner may have deleted one that is over.
    const isKept = open && (open.phase !== 'over' || (await store.findAny(open.id)) !== undefined);
    const plan = isKept ? planClip(open, seconds, now()) : undefined;
    if (!plan) throw new ConflictError('not_recorded', `${streamName} is not being recorded; record it first`);
    return await this.#add(plan);
  }

  /**
   * A piece of a recording that is ready, however old it is.
   * @param source whose file this server has, or S3
   * @throws {ConflictError} `not_recorded`, `quota_exceeded`
   */
  async ofRecording(source: RecordingRecord, range: ClipRange): Promise<RecordingRecord> {
    const { nodeId } = this.#options.files;
    const plan = planCut({ ...source, nodeId }, range);
    if (plan) return await this.#add(plan);
    const seconds = Math.floor(source.durationMs / 1_000);
    throw new ConflictError('not_recorded', `The recording has ${seconds} seconds: nothing of it is at this time`);
  }

  async #add(plan: ClipPlan): Promise<RecordingRecord> {
    const { quota, store, tokenRetentionDays, onPlanned, now } = this.#options;
    const { tokenId, accountId } = plan.record;
    const { level, retentionDays: ofAccount } = await quota.of(accountId);
    if (level === 'full') throw quotaExceeded();
    const retentionDays = (tokenId === null ? null : tokenRetentionDays(tokenId)) ?? ofAccount;
    const record = { ...plan.record, expiresOn: expiryOf(now(), retentionDays) };
    await store.add(record, 'clip_created');
    onPlanned({ ...plan, record });
    return record;
  }
}
