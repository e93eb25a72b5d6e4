// Generated from en.json by `npm run generate`. Do not edit.
import type { RecordingState } from '../../../../wire/management/recording.js';
import type { SettingsFault } from '../settings-draft.js';

/** The texts of the page of recordings. `name` is the stream and the time of a recording. */
export interface RecordingsMessages {
  readonly recordings: string;
  readonly purpose: string;
  /** The list is empty, and not filtered. */
  readonly none: string;
  readonly noneFound: string;
  /** The server does not record. */
  readonly unavailable: string;
  /** What is shown may be out of date. */
  readonly stale: string;
  readonly streamName: string;
  readonly state: string;
  readonly everyState: string;
  readonly filter: string;
  /** By the `state` of the API. */
  readonly states: Readonly<Record<RecordingState, string>>;
  /** Instead of `recording`, while its publisher is away. */
  readonly away: string;
  readonly clip: string;
  readonly source: (id: string) => string;
  readonly faults: {
    readonly stored_row_unreadable: string;
    readonly disk_full: string;
    readonly disk_failed: string;
    readonly disk_slow: string;
    readonly recorder_lost: string;
    readonly quota_exceeded: string;
    readonly nothing_recorded: string;
    readonly finish_failed: string;
    readonly upload_failed: string;
  };
  readonly otherFault: (code: string) => string;
  /** The codec has no place in what viewers can go back in. */
  readonly noRewind: string;
  readonly play: string;
  /** The browser has no decoder for the file. */
  readonly cannotPlay: string;
  readonly download: string;
  readonly link: string;
  readonly linkEffect: (until: string) => string;
  /** Keeps a piece of a recording as one of its own. */
  readonly cut: string;
  readonly cutEffect: string;
  readonly cutFrom: string;
  readonly cutTo: string;
  /** Takes the time that the video shows. */
  readonly cutFromHere: string;
  readonly cutToHere: string;
  readonly cutFault: string;
  /** The clip of a recording is being made. */
  readonly clipBegun: (name: string) => string;
  readonly keep: string;
  readonly keepEffect: string;
  readonly deletedOn: string;
  readonly deletedOnFault: string;
  readonly save: string;
  readonly kept: (name: string) => string;
  /** The server tries again to make its file. */
  readonly finishing: (name: string) => string;
  readonly delete: string;
  readonly deleteQuestion: (name: string) => string;
  readonly deleteEffect: string;
  readonly deleted: (name: string) => string;
  readonly storage: string;
  readonly used: (size: string, recordings: string) => string;
  readonly usedOf: (size: string, quota: string, recordings: string) => string;
  readonly quotaNear: string;
  readonly quotaExceeded: string;
  readonly retentionDays: string;
  readonly quotaGigabytes: string;
  readonly settingsHint: string;
  /** To somebody who may not change the settings. */
  readonly whoLimits: string;
  readonly settingsFaults: Readonly<Record<SettingsFault, string>>;
  readonly settingsSaved: string;
}
