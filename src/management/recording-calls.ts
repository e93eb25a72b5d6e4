import * as z from 'zod/mini';
import {
  recordingBody,
  recordingLinkBody,
  recordingList,
  recordingSettingsBody,
  type CreateClip,
  type CreateRecordingLink,
  type CutRecording,
  type FinishRecording,
  type RecordingBody,
  type RecordingLinkBody,
  type RecordingSettingsBody,
  type RecordingState,
  type UpdateRecording,
  type UpdateRecordingSettings,
} from '../wire/management/recording.js';
import type { ManagementConnection } from './management-connection.js';

const PATH = '/api/recordings';
const SETTINGS_PATH = '/api/account/recording';
const recordingAnswer = z.object({ status: z.literal('success'), data: recordingBody });
const linkAnswer = z.object({ status: z.literal('success'), data: recordingLinkBody });
const settingsAnswer = z.object({ status: z.literal('success'), data: recordingSettingsBody });
const doneAnswer = z.object({ status: z.literal('success'), data: z.literal(true) });

export interface RecordingListOptions {
  /** Only those of the stream with exactly this name. */
  readonly streamName?: string | undefined;
  readonly state?: RecordingState | undefined;
  /** From 1. */
  readonly page?: number | undefined;
  /** 1 to 100. Absent: 100. */
  readonly itemsOnPage?: number | undefined;
}

export interface RecordingPage {
  readonly recordings: readonly RecordingBody[];
  /** Number of recordings on all pages. */
  readonly total: number;
  readonly page: number;
  readonly itemsOnPage: number;
}

/** The calls for recordings and clips. Each throws {@link ManagementError}. */
export class RecordingCalls {
  readonly #connection: ManagementConnection;

  constructor(connection: ManagementConnection) {
    this.#connection = connection;
  }

  /** The newest first. */
  async listRecordings(options: RecordingListOptions = {}): Promise<RecordingPage> {
    const request = { method: 'GET', path: PATH, query: { ...options } } as const;
    const { data, total, page, itemsOnPage } = await this.#connection.call(recordingList, request);
    return { recordings: data, total, page, itemsOnPage };
  }

  /** The same as CSV: all pages as one table, with a header row. */
  async csv(options: RecordingListOptions = {}): Promise<string> {
    return await this.#connection.csv({ path: PATH, query: { ...options } });
  }

  /** @throws {ManagementError} `recording_not_found` */
  async recording(id: string): Promise<RecordingBody> {
    return (await this.#connection.call(recordingAnswer, { method: 'GET', path: pathOf(id) })).data;
  }

  /** Sets when the recording is deleted; null keeps it. @throws {ManagementError} `recording_not_found` */
  async updateRecording(id: string, change: UpdateRecording): Promise<RecordingBody> {
    return (await this.#connection.call(recordingAnswer, { method: 'PUT', path: pathOf(id), body: change })).data;
  }

  /** Deletes the recording and its file. @throws {ManagementError} `recording_not_found` */
  async deleteRecording(id: string): Promise<void> {
    await this.#connection.call(doneAnswer, { method: 'DELETE', path: pathOf(id) });
  }

  /** A short-lived path that opens the file without a login. @throws {ManagementError} `recording_not_found` */
  async recordingLink(id: string, options: CreateRecordingLink = {}): Promise<RecordingLinkBody> {
    const request = { method: 'POST', path: `${pathOf(id)}/link`, body: options } as const;
    return (await this.#connection.call(linkAnswer, request)).data;
  }

  /**
   * Tries now to make the file of a recording that could not be made ready. Resolves before that is done. With
   * `takeOver`, the server makes the file of a recording whose server is lost, from its copy in S3.
   *
   * @throws {ManagementError} `recording_not_found`, `recording_in_progress`, `recording_not_ready`,
   *   `recording_file_missing`
   */
  async finishRecording(id: string, options: FinishRecording = {}): Promise<RecordingBody> {
    const request = { method: 'POST', path: `${pathOf(id)}/finish`, body: options } as const;
    return (await this.#connection.call(recordingAnswer, request)).data;
  }

  /**
   * Records a live source of the stream from now on, or stops.
   *
   * @param sourceId null: the main source
   */
  async recordStream(streamName: string, isOn: boolean, sourceId: string | null = null): Promise<void> {
    const request = {
      method: 'POST',
      path: streamPath(streamName, 'record'),
      body: { record: isOn, sourceId },
    } as const;
    await this.#connection.call(doneAnswer, request);
  }

  /**
   * Keeps the last seconds of a stream that is being recorded, as a recording of its own; until ten minutes after the
   * end, the last seconds before it. Later, `cutRecording` does.
   *
   * @throws {ManagementError} `not_recorded`, `quota_exceeded`, `recording_unavailable`
   */
  async createClip(streamName: string, clip: CreateClip): Promise<RecordingBody> {
    const request = { method: 'POST', path: streamPath(streamName, 'clips'), body: clip } as const;
    return (await this.#connection.call(recordingAnswer, request)).data;
  }

  /**
   * Keeps a piece of a recording that is ready, of any age, as a recording of its own.
   *
   * @throws {ManagementError} `recording_not_found`, `recording_not_ready`, `recording_file_missing`, `not_recorded`,
   *   `quota_exceeded`, `recording_unavailable`
   */
  async cutRecording(id: string, piece: CutRecording): Promise<RecordingBody> {
    const request = { method: 'POST', path: `${pathOf(id)}/clips`, body: piece } as const;
    return (await this.#connection.call(recordingAnswer, request)).data;
  }

  /** How long the account keeps recordings, and how much of its space they use. */
  async recordingSettings(): Promise<RecordingSettingsBody> {
    return (await this.#connection.call(settingsAnswer, { method: 'GET', path: SETTINGS_PATH })).data;
  }

  /** Changes the given fields; null removes a limit. */
  async updateRecordingSettings(change: UpdateRecordingSettings): Promise<RecordingSettingsBody> {
    const request = { method: 'PUT', path: SETTINGS_PATH, body: change } as const;
    return (await this.#connection.call(settingsAnswer, request)).data;
  }
}

function pathOf(id: string): string {
  return `${PATH}/${encodeURIComponent(id)}`;
}

function streamPath(streamName: string, action: 'record' | 'clips'): string {
  return `/api/streams/${encodeURIComponent(streamName)}/${action}`;
}
