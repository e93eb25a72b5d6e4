import type { Logger } from 'pino';
import type { RecordingSettings, RecordingStore, RecordingUsage } from './recording-store.js';

/** The part of the quota at which the owner is warned. */
const WARN_AT = 0.9;

/** `near`: nine tenths are used. `full`: nothing more is recorded. */
export type QuotaLevel = 'ok' | 'near' | 'full';

export interface QuotaState extends RecordingSettings, RecordingUsage {
  readonly level: QuotaLevel;
}

export function quotaLevel(usedBytes: number, quotaBytes: number | null): QuotaLevel {
  if (quotaBytes === null) return 'ok';
  if (usedBytes >= quotaBytes) return 'full';
  return usedBytes >= quotaBytes * WARN_AT ? 'near' : 'ok';
}

/** What accounts use of the space for their recordings. */
export class RecordingQuota {
  readonly #store: Pick<RecordingStore, 'settings' | 'usage'>;
  readonly #log: Pick<Logger, 'warn'>;
  readonly #warned = new Map<string, QuotaLevel>();

  constructor(store: Pick<RecordingStore, 'settings' | 'usage'>, log: Pick<Logger, 'warn'>) {
    this.#store = store;
    this.#log = log;
  }

  /** Warns in the log once when an account comes near its quota, and once when it has used it. */
  async of(accountId: string): Promise<QuotaState> {
    const settings = await this.#store.settings(accountId);
    const usage = await this.#store.usage(accountId);
    const level = quotaLevel(usage.usedBytes, settings.quotaBytes);
    this.#warn(accountId, level, { usedBytes: usage.usedBytes, quotaBytes: settings.quotaBytes });
    return { ...settings, ...usage, level };
  }

  /** How many accounts were at a level when their recordings were last compared. */
  countOf(wanted: Exclude<QuotaLevel, 'ok'>): number {
    return [...this.#warned.values()].filter((level) => level === wanted).length;
  }

  /** Those of the accounts that have used their quota. What is not known now is left out, and logged. */
  async fullOf(accountIds: ReadonlySet<string>): Promise<ReadonlySet<string>> {
    const full = new Set<string>();
    for (const account of accountIds) {
      try {
        if ((await this.of(account)).level === 'full') full.add(account);
      } catch (err) {
        this.#log.warn({ err, account }, 'the space for recordings could not be compared with the quota');
      }
    }
    return full;
  }

  #warn(account: string, level: QuotaLevel, { usedBytes, quotaBytes }: QuotaFields): void {
    if ((this.#warned.get(account) ?? 'ok') === level) return;
    if (level === 'ok') this.#warned.delete(account);
    else this.#warned.set(account, level);
    if (level === 'near') {
      this.#log.warn({ account, usedBytes, quotaBytes }, 'an account has used nine tenths of its space for recordings');
    }
    if (level === 'full') {
      this.#log.warn(
        { account, usedBytes, quotaBytes },
        'an account has used its space for recordings: nothing more is recorded',
      );
    }
  }
}

interface QuotaFields {
  readonly usedBytes: number;
  readonly quotaBytes: number | null;
}
