import type { Notifications } from '../../../../server/cluster/cluster-channel.js';
import type { ClusterStore } from '../../../../server/cluster/cluster-store.js';
import type { TokenChangeFeed, TokenFollowerOptions } from '../../../../server/tokens/token-follower.js';
import type { TokenRecord } from '../../../../server/tokens/token-record.js';
import type { Chance } from './chance.js';
import { ModelClusterStore } from './model-cluster-store.js';
import { EPOCH, type SimulatedProcess, type VirtualTime } from './virtual-time.js';

/** The way of one server to the database. */
export interface DatabaseLink {
  readonly process: SimulatedProcess;
  isCut: boolean;
}

export class UnansweredError extends Error {
  override name = 'UnansweredError';
}

type Listener = Parameters<Notifications['start']>[0];

interface Listening {
  readonly link: DatabaseLink;
  readonly channel: 'cluster' | 'token';
  readonly listener: Listener;
  /** Another number for each connection. Undefined: there is none. */
  connection: number | undefined;
  lastArrival: number;
}

/** How late a statement and its answer can be, each. What a server gave up after `GIVES_UP_MS` may be executed later. */
const LATE_MS = 7_500;
const GIVES_UP_MS = 6_000;
const EXECUTED_LATE_MS = 500;
/** A dead connection is noticed within this time: see `PostgresNotifications`. */
const NOTICED_WITHIN_MS = 7_000;
const RECONNECTS_AFTER_MS = 500;

/** PostgreSQL, as the servers see it: statements and notifications travel, are late, and are lost with connections. */
export class SimulatedDatabase {
  readonly store: ModelClusterStore;
  readonly tokens = new Map<number, TokenRecord>();
  /** It answers nobody. */
  isAway = false;
  /** Nobody who lost the connection on which they listen gets another one. */
  isDeaf = false;
  /** Claims wait for a lock, and are given up. */
  isLocked = false;
  /** Claims are given up, and executed after that. */
  executesClaimsLate = false;
  /** How late statements and answers are. */
  lateMs = 20;
  /** How often a statement, or its answer, is lost. */
  lossRate = 0;
  readonly #time: VirtualTime;
  readonly #chance: Chance;
  readonly #listening = new Set<Listening>();
  #connections = 0;

  constructor(time: VirtualTime, chance: Chance) {
    this.#time = time;
    this.#chance = chance;
    const now = () => EPOCH + time.now;
    this.store = new ModelClusterStore(now, (payloads) => this.#notify('cluster', payloads));
  }

  putToken(record: TokenRecord): void {
    const { revision = 0 } = this.tokens.get(record.id) ?? {};
    this.tokens.set(record.id, { ...record, revision: revision + 1 });
    this.#notify('token', [String(record.id)]);
  }

  deleteToken(id: number): void {
    if (this.tokens.delete(id)) this.#notify('token', [String(id)]);
  }

  clusterStore(link: DatabaseLink): ClusterStore {
    const { store } = this;
    const over =
      <Args extends readonly unknown[], Answer>(call: (...args: Args) => Promise<Answer>) =>
      (...args: Args): Promise<Answer> =>
        this.#send(link, () => call(...args));
    return {
      join: over(store.join),
      beat: over(store.beat),
      leave: over(store.leave),
      announceLost: over(store.announceLost),
      removeLost: over(store.removeLost),
      claim: over(async (...args) => {
        if (this.executesClaimsLate) this.#time.after(EXECUTED_LATE_MS, undefined, () => store.claim(...args));
        if (this.isLocked || this.executesClaimsLate) throw new UnansweredError('a lock');
        return await store.claim(...args);
      }),
      write: over(store.write),
      release: over(store.release),
      leases: over(store.leases),
      ends: over(store.ends),
      requestStop: over(store.requestStop),
      writeStatus: over(store.writeStatus),
      removeEndedStatuses: over(store.removeEndedStatuses),
      statuses: over(store.statuses),
      notify: over(store.notify),
    };
  }

  tokenStore(link: DatabaseLink): TokenFollowerOptions['store'] {
    const { tokens } = this;
    const read = <Answer>(find: () => Answer): Promise<Answer> => this.#send(link, async () => find());
    const all = async function* (): AsyncGenerator<TokenRecord> {
      yield* await read(() => [...tokens.values()]);
    };
    return {
      find: (id) => read(() => tokens.get(id)),
      findByValue: (value) => read(() => [...tokens.values()].find(({ token }) => token === value)),
      revisions: all,
      publishTokens: all,
      all,
    };
  }

  notifications(link: DatabaseLink, channel: Listening['channel']): Notifications {
    let listening: Listening | undefined;
    return {
      start: async (listener) => {
        await this.#send(link, async () => undefined);
        listening = { link, channel, listener, connection: (this.#connections += 1), lastArrival: 0 };
        this.#listening.add(listening);
      },
      close: async () => void (listening && this.#listening.delete(listening)),
    };
  }

  tokenFeed(link: DatabaseLink): TokenChangeFeed {
    const notifications = this.notifications(link, 'token');
    return {
      start: (listener) =>
        notifications.start({
          received: (payload) => listener.changed(Number(payload)),
          restored: () => listener.anyChanged(),
          lost: () => listener.lost(),
        }),
      close: () => notifications.close(),
    };
  }

  /** Ends the connections on which the server listens. It may notice later. @param link undefined: of all servers */
  deafen(link?: DatabaseLink): void {
    for (const each of this.#listening) {
      if (each.connection === undefined || (link && each.link !== link)) continue;
      each.connection = undefined;
      const noticedAfter = this.#chance.is(0.5) ? 1 : this.#chance.between(0, NOTICED_WITHIN_MS);
      this.#time.after(noticedAfter, each.link.process, () => {
        each.listener.lost();
        this.#reconnect(each);
      });
    }
  }

  #reconnect(listening: Listening): void {
    const { process, isCut } = listening.link;
    if (isCut || this.isAway || this.isDeaf) {
      this.#time.after(RECONNECTS_AFTER_MS, process, () => this.#reconnect(listening));
      return;
    }
    const connection = (this.#connections += 1);
    listening.connection = connection;
    // What is notified from now on is heard before it says so, or after.
    this.#time.after(this.#chance.delayMs(this.lateMs), process, () => {
      if (listening.connection === connection) listening.listener.restored();
    });
  }

  #notify(channel: Listening['channel'], payloads: readonly string[]): void {
    for (const each of this.#listening) {
      if (each.channel !== channel || each.connection === undefined) continue;
      for (const payload of payloads) this.#deliver(each, payload);
    }
  }

  /** In order, as on one connection. What a trigger says may also come twice, or later than what follows it. */
  #deliver(listening: Listening, payload: string): void {
    const chance = this.#chance;
    const { connection } = listening;
    const receive = () => {
      if (listening.connection === connection) listening.listener.received(payload);
    };
    // Differences of times are not exact: one that follows another comes measurably later.
    const arrival = Math.max(listening.lastArrival + 0.001, this.#time.now + chance.delayMs(this.lateMs));
    const isOfTrigger = !payload.startsWith('["messages"');
    const isLater = isOfTrigger && chance.is(0.1);
    if (!isLater) listening.lastArrival = arrival;
    const { process } = listening.link;
    const wait = arrival - this.#time.now;
    this.#time.after(isLater ? wait + chance.between(0, this.lateMs) : wait, process, receive);
    if (isOfTrigger && chance.is(0.1)) this.#time.after(wait + chance.between(0, this.lateMs), process, receive);
  }

  /** @param run executes the statement, synchronously */
  #send<Answer>(link: DatabaseLink, run: () => Promise<Answer>): Promise<Answer> {
    const chance = this.#chance;
    const { process } = link;
    return new Promise((resolve, reject) => {
      const fail = () => reject(new UnansweredError('the database does not answer'));
      const failWithin = (ms: number) => void this.#time.after(chance.between(0, ms), process, fail);
      if (this.#isUnreachable(link)) return failWithin(chance.is(0.5) ? 1 : GIVES_UP_MS);
      const patience = this.#time.after(GIVES_UP_MS, process, fail);
      const isLost = chance.is(this.lossRate);
      if (isLost && chance.is(0.5)) return;
      this.#time.after(chance.delayMs(this.lateMs), undefined, async () => {
        if (this.isAway) return;
        const answer = await run().catch(fail);
        if (isLost || this.#isUnreachable(link)) return;
        this.#time.after(chance.delayMs(this.lateMs), process, () => {
          patience.isCancelled = true;
          resolve(answer as Answer);
        });
      });
    });
  }

  #isUnreachable({ isCut }: DatabaseLink): boolean {
    return isCut || this.isAway;
  }

  /** Answers are late from now on, or are not. */
  setSlow(isSlow: boolean): void {
    this.lateMs = isSlow ? LATE_MS : 20;
  }
}
