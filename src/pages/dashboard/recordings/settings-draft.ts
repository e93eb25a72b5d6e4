import type { RecordingSettingsBody, UpdateRecordingSettings } from '../../../wire/management/recording.js';

const GIGABYTE = 1e9;
const MAX_DAYS = 36_500;
/** From this part of the quota on, the page warns. */
const NEAR = 0.9;

/** The settings as a person enters them. Empty: no limit. */
export interface SettingsDraft {
  readonly retentionDays: string;
  readonly quotaGigabytes: string;
}

export function settingsDraft({ retentionDays, quotaBytes }: RecordingSettingsBody): SettingsDraft {
  return {
    retentionDays: retentionDays === null ? '' : String(retentionDays),
    quotaGigabytes: quotaBytes === null ? '' : String(quotaBytes / GIGABYTE),
  };
}

export type SettingsFault = keyof SettingsDraft;

/** The change that a draft asks for, or the fields that cannot be read. */
export function readSettings(draft: SettingsDraft): UpdateRecordingSettings | readonly SettingsFault[] {
  const retentionDays = limitOf(draft.retentionDays, (days) => Number.isInteger(days) && days <= MAX_DAYS);
  const gigabytes = limitOf(draft.quotaGigabytes, (size) => size * GIGABYTE <= Number.MAX_SAFE_INTEGER);
  const faults: SettingsFault[] = [];
  if (retentionDays === undefined) faults.push('retentionDays');
  if (gigabytes === undefined) faults.push('quotaGigabytes');
  if (retentionDays === undefined || gigabytes === undefined) return faults;
  return { retentionDays, quotaBytes: gigabytes === null ? null : Math.max(1, Math.round(gigabytes * GIGABYTE)) };
}

/** How much of the quota is used. Undefined: there is no quota. */
export function quotaUse({
  usedBytes,
  quotaBytes,
}: RecordingSettingsBody): { readonly part: number; readonly level: 'free' | 'near' | 'exceeded' } | undefined {
  if (quotaBytes === null) return undefined;
  const part = usedBytes / quotaBytes;
  return { part: Math.min(1, part), level: part >= 1 ? 'exceeded' : part >= NEAR ? 'near' : 'free' };
}

/** Null: no limit. Undefined: it cannot be read. A comma is the decimal point of many languages. */
function limitOf(text: string, isPossible: (value: number) => boolean): number | null | undefined {
  const trimmed = text.trim().replace(',', '.');
  if (trimmed === '') return null;
  const value = Number(trimmed);
  return /^\d+(\.\d+)?$/.test(trimmed) && value > 0 && isPossible(value) ? value : undefined;
}
