import type { RuleRefusalCode } from '../../src/wire/director/refusal-code.js';
import type { WebhookRefusalGroup } from '../../src/wire/webhook-event.js';
import { after } from '../faults/timers.js';
import { sessionsRefused, type Occurrence } from './occurrence.js';

/** Refusals of an account that come within this time make one event. */
export const COLLECTED_FOR_MS = 60_000;
/** The groups of one event. */
export const MOST_GROUPS = 20;
/** The groups that are counted, of which the largest are told. */
const MOST_COUNTED_GROUPS = 200;
/** Callers can name any account. */
const MOST_ACCOUNTS = 1_000;
const MAX_TEXT = 128;

/** A request that was refused, or a session that ended because its token changed. */
export interface RefusedRequest {
  readonly kind: 'publish' | 'subscribe';
  readonly reason: RuleRefusalCode;
  readonly tokenId: number | null;
  readonly streamName: string;
  /** Empty: the caller named none. */
  readonly accountId: string;
}

interface Collection {
  readonly from: number;
  to: number;
  refusals: number;
  readonly groups: Map<string, WebhookRefusalGroup>;
  readonly timer: NodeJS.Timeout;
}

export interface RefusalGroupsOptions {
  /** Must not throw. */
  readonly onOccurrence: (occurrence: Occurrence) => void;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly collectedForMs?: number;
}

/** Makes one event a minute and account of refusals, so that a flood of them is no flood of calls. */
export class RefusalGroups {
  readonly #options: RefusalGroupsOptions;
  readonly #byAccount = new Map<string, Collection>();

  constructor(options: RefusalGroupsOptions) {
    this.#options = options;
  }

  /** Cheap; never throws. */
  add({ accountId: named, kind, reason, tokenId, streamName: called }: RefusedRequest): void {
    const [accountId, streamName] = [storable(named), storable(called)];
    const collection = this.#byAccount.get(accountId) ?? this.#begin(accountId);
    if (!collection) return;
    collection.to = this.#options.now();
    collection.refusals += 1;
    const key = JSON.stringify([kind, reason, tokenId, streamName]);
    const group = collection.groups.get(key);
    if (group) collection.groups.set(key, { ...group, refusals: group.refusals + 1 });
    else if (collection.groups.size < MOST_COUNTED_GROUPS) {
      collection.groups.set(key, { kind, reason, tokenId, streamName, refusals: 1 });
    }
  }

  /** Tells what is collected. */
  close(): void {
    for (const accountId of Array.from(this.#byAccount.keys())) this.#end(accountId);
  }

  #begin(accountId: string): Collection | undefined {
    if (this.#byAccount.size >= MOST_ACCOUNTS) return undefined;
    const { now, collectedForMs = COLLECTED_FOR_MS } = this.#options;
    const timer = after('webhooks', collectedForMs, () => this.#end(accountId)).unref();
    const collection: Collection = { from: now(), to: now(), refusals: 0, groups: new Map(), timer };
    this.#byAccount.set(accountId, collection);
    return collection;
  }

  #end(accountId: string): void {
    const collection = this.#byAccount.get(accountId);
    if (!collection) return;
    clearTimeout(collection.timer);
    this.#byAccount.delete(accountId);
    const { from, to, refusals } = collection;
    const groups = [...collection.groups.values()]
      .toSorted((one, other) => other.refusals - one.refusals)
      .slice(0, MOST_GROUPS);
    const listed = groups.reduce((sum, group) => sum + group.refusals, 0);
    const data = {
      from: new Date(from).toISOString(),
      to: new Date(to).toISOString(),
      refusals,
      groups,
      notListed: refusals - listed,
    };
    this.#options.onOccurrence(sessionsRefused({ accountId, time: to }, data));
  }
}

/** PostgreSQL text cannot contain NUL, and UTF-8 cannot contain half of a surrogate pair. */
function storable(text: string): string {
  return Buffer.from(text.slice(0, MAX_TEXT).replaceAll('\0', '\uFFFD')).toString();
}
