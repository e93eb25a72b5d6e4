import assert from 'node:assert/strict';
import { createSecretKey } from 'node:crypto';
import { mock } from 'node:test';
import { STOPS_AFTER_MS } from '../../../../server/cluster/lease-times.js';
import { RelayPasses } from '../../../../server/cluster/relay/relay-pass.js';
import type { RelayRequest } from '../../../../server/cluster/relay/relay-message.js';
import { ApiError } from '../../../../server/errors.js';
import { followFaults } from '../../../../server/faults/fault.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';
import { aTokenRecord } from '../../../support/token.js';
import { Chance } from './chance.js';
import { RelayLinks } from './relay-links.js';
import { SimulatedClient, type ClientOptions } from './simulated-client.js';
import { SimulatedDatabase, UnansweredError, type DatabaseLink } from './simulated-database.js';
import type { SimulatedEngine } from './simulated-engine.js';
import { ACCOUNT, startServer, type SimulatedServer } from './simulated-server.js';
import { SimulatedProcess, VirtualTime } from './virtual-time.js';

/** One of the addresses that clients know. A server that is started again is another one there. */
interface Place {
  readonly url: string;
  process: SimulatedProcess;
  link: DatabaseLink;
  server: SimulatedServer | undefined;
  runs: number;
  state: 'down' | 'starting' | 'running' | 'stopping';
  /** When its process was resumed last. */
  resumedAt: number;
}

const STREAM_NAMES = ['north', 'south'] as const;
export const STREAM_IDS = STREAM_NAMES.map((name) => streamIdOf(ACCOUNT, name));
/** A timer may be so late, and a process that wakes has as much to do first. */
const LATE_MS = 20;
/** Of a server that sends, whose clock may be late by a hundredth. Others may have its streams three seconds later. */
const LONGEST_SILENCE_MS = STOPS_AFTER_MS * 1.02;
const RESTARTS_AFTER_MS = [300, 5_000] as const;

export interface SimulatedClusterOptions {
  readonly seed: number;
  readonly servers: number;
  readonly nodeRelay: boolean;
  readonly resumeWithinMs?: number;
}

/** Servers on one database, with clients, all in virtual time and by chance from one seed. */
export class SimulatedCluster {
  readonly time = new VirtualTime();
  readonly chance: Chance;
  readonly database: SimulatedDatabase;
  readonly links: RelayLinks;
  readonly clients: SimulatedClient[] = [];
  readonly faults: unknown[] = [];
  readonly places: readonly Place[];
  readonly nodeRelay: boolean;
  readonly #resumeWithinMs: number;
  /** How often a publisher was let in, on another server than the one before. */
  moves = 0;
  readonly #lastServer = new Map<string, SimulatedServer>();
  readonly #partitioned = new Set<string>();
  readonly #passes = new RelayPasses(createSecretKey(Buffer.alloc(32, 1)));
  readonly #ends: (() => void)[];

  constructor({ seed, servers, nodeRelay, resumeWithinMs = 5_000 }: SimulatedClusterOptions) {
    const { time } = this;
    this.nodeRelay = nodeRelay;
    this.#resumeWithinMs = resumeWithinMs;
    this.chance = new Chance(seed);
    this.database = new SimulatedDatabase(time, this.chance);
    this.links = new RelayLinks(time, this.chance, (from, to) => this.#reaches(from, to));
    this.places = Array.from({ length: servers }, (_, index) => {
      const process = this.#aProcess();
      const url = `http://server-${index}.example.com`;
      const link = { process, isCut: false };
      return { url, process, link, server: undefined, runs: 0, state: 'down' as const, resumedAt: 0 };
    });
    const fetched = mock.method(globalThis, 'fetch', this.#fetch);
    this.#ends = [time.install(), followFaults(({ error }) => this.faults.push(error)), () => fetched.mock.restore()];
    time.afterEach = () => this.#assertInvariants();
  }

  /** Call it when the simulation is over: it gives the clocks and timers back. */
  end(): void {
    for (const end of this.#ends) end();
  }

  get servers(): readonly SimulatedServer[] {
    return this.places.flatMap(({ server }) => (server && server.process.state !== 'ended' ? server : []));
  }

  /** A server that a load balancer may choose. */
  anyServer(): SimulatedServer | undefined {
    const open = this.servers.filter(({ entrance }) => entrance.shutSince === undefined);
    return open.length > 0 ? this.chance.of(open) : undefined;
  }

  serverAt(url: string): SimulatedServer | undefined {
    return this.servers.find((server) => server.url === url);
  }

  addClient(options: ClientOptions): void {
    this.clients.push(new SimulatedClient(this, options));
  }

  removeClient(client: SimulatedClient): void {
    this.clients.splice(this.clients.indexOf(client), 1);
    client.leave();
  }

  addToken(overrides: Partial<Parameters<typeof aTokenRecord>[0]> & { readonly id: number }) {
    const streams = STREAM_NAMES.map((streamName) => ({ streamName, isRegex: false }));
    const record = aTokenRecord({ token: overrides.id.toString(16).padStart(64, '0'), streams, ...overrides });
    this.database.putToken(record);
    return record;
  }

  start(place: Place): void {
    place.runs += 1;
    place.state = 'starting';
    const { url, process, link } = place;
    const id = `${url.replaceAll(/\D/g, '')}${place.runs}`.padStart(32, '0');
    const { database, links, nodeRelay } = this;
    const options = { url, id, process, database, link, links, nodeRelay };
    const starting = this.time.within(process, () =>
      startServer({ ...options, passes: this.#passes, resumeWithinMs: this.#resumeWithinMs }),
    );
    starting.then(
      (server) => Object.assign(place, { server, state: 'running' }),
      // Whoever supervises it starts it again.
      (error: unknown) => (error instanceof UnansweredError ? this.kill(place) : void this.faults.push(error)),
    );
  }

  /** Does work on a server, for as long as it takes. */
  async run<Result>({ process }: SimulatedServer, work: () => Promise<Result>): Promise<Result> {
    const progress = { isDone: false };
    const result = this.time.within(process, work).finally(() => (progress.isDone = true));
    result.catch(() => undefined);
    await this.passUntil(() => progress.isDone);
    return await result;
  }

  /** Lets time pass until this is so, which it will be. */
  async passUntil(isSo: () => boolean): Promise<void> {
    while (!isSo()) await this.time.pass(10);
  }

  /** The process ends at once, and is started again. */
  kill(place: Place): void {
    if (place.state === 'down') return;
    place.process.state = 'ended';
    place.server = undefined;
    place.state = 'down';
    this.links.breakBroken();
    place.process = this.#aProcess();
    place.link = { process: place.process, isCut: place.link.isCut };
    this.time.after(this.chance.between(...RESTARTS_AFTER_MS), undefined, () => this.start(place));
  }

  pause(place: Place, ms: number): void {
    const { process } = place;
    if (process.state !== 'running') return;
    process.state = 'paused';
    this.time.after(ms, undefined, () => this.resume(place, process));
  }

  resume(place: Place, process = place.process): void {
    if (process.state !== 'paused') return;
    place.resumedAt = this.time.now;
    this.time.resume(process, this.chance.is(0.5));
  }

  /** The server stops in order, and is started again. */
  stop(place: Place): void {
    const { server, process } = place;
    if (!server || place.state !== 'running') return;
    place.state = 'stopping';
    this.time.after(0, process, async () => {
      await server.stop();
      this.time.after(0, process, () => this.kill(place));
    });
  }

  /** Neither server reaches the other. The database reaches both. */
  partition(one: Place, other: Place): void {
    if (one === other) return;
    this.#partitioned.add(pairOf(one.url, other.url));
    this.links.breakBroken();
  }

  /** What was broken works again, and nothing else breaks. */
  mend(): void {
    const { database } = this;
    this.#partitioned.clear();
    database.isAway = false;
    database.lossRate = 0;
    database.setSlow(false);
    for (const place of this.places) {
      place.link.isCut = false;
      this.resume(place);
    }
  }

  /** A publisher has the answer of the server. */
  acknowledged(server: SimulatedServer, streamId: string): void {
    const before = this.#lastServer.get(streamId);
    if (before && before !== server) this.moves += 1;
    this.#lastServer.set(streamId, server);
  }

  #aProcess(): SimulatedProcess {
    const rate = this.chance.between(0.99, 1.01);
    return new SimulatedProcess(this.time, { rate, wallOffset: this.chance.between(-300_000, 300_000) });
  }

  /** After each step. What must hold at every moment, whatever is lost or late. */
  #assertInvariants(): void {
    if (this.faults.length > 0) throw new Error('a fault was contained', { cause: this.faults[0] });
    for (const streamId of STREAM_IDS) {
      let sender: SimulatedServer | undefined;
      for (const { server } of this.places) {
        if (!server || server.process.state === 'ended') continue;
        const { id, engine, sessions } = server;
        if (engine.viewerIds(streamId).some((mediaId) => sessions.byMediaId(mediaId)?.ended !== false)) {
          assert.fail(`${id} sends ${streamId} to a viewer whose session has ended at ${this.time.now} ms`);
        }
        if (!engine.sends(streamId)) continue;
        const silentMs = this.database.store.silentMs(id);
        if (silentMs > LONGEST_SILENCE_MS)
          assert.fail(`${id} sends ${streamId} ${silentMs} ms after its last heartbeat`);
        if (sender) assert.fail(`${sender.id} and ${server.id} both send ${streamId} at ${this.time.now} ms`);
        sender = server;
      }
    }
    for (const { server, process, resumedAt } of this.places) {
      if (!server || process.state !== 'running' || this.time.now < resumedAt + LATE_MS) continue;
      const { id, engine, entrance } = server;
      if (process.monotonicNow() <= engine.publishesUntil + LATE_MS) continue;
      if (engine.publishers.size > 0) assert.fail(`${id} keeps publishers without a lease at ${this.time.now} ms`);
      // One that stops has ended its publishers, and sends nothing to those that still listen.
      const sends = entrance.shutSince === undefined && this.links.open.some(({ origin }) => origin === engine);
      if (sends) assert.fail(`${id} sends to other servers without a lease at ${this.time.now} ms`);
    }
    const twice = this.links.receivedTwice();
    if (twice) assert.fail(`a server receives ${twice} twice at ${this.time.now} ms`);
  }

  readonly #fetch = async (url: string, { body, signal }: { readonly body: string; readonly signal: AbortSignal }) => {
    const { time, chance } = this;
    const { pass, offer } = JSON.parse(body) as RelayRequest;
    const to = this.places.find((place) => url.startsWith(place.url));
    const from = this.links.edgeOf(offer);
    const isReached = (): boolean => !!to?.server && !!from && this.#reaches(from, to.server.engine);
    const fromProcess = from?.process;
    return await new Promise<object>((resolve, reject) => {
      const fail = (ms: number) => time.after(ms, fromProcess, () => reject(new TypeError('fetch failed')));
      signal.addEventListener('abort', () => reject(signal.reason));
      if (!isReached()) return void fail(chance.is(0.5) ? 1 : 60_000);
      const answer = (status: number, data: object) => {
        if (!isReached()) return void fail(60_000);
        const response = { ok: status === 200, status, text: async () => JSON.stringify({ data }) };
        time.after(chance.delayMs(200), fromProcess, () => resolve(response));
      };
      time.after(chance.delayMs(200), to?.process, async () => {
        try {
          answer(200, await to!.server!.relays.answer({ pass, offer }));
        } catch (error) {
          answer(error instanceof ApiError ? error.status : 500, {});
        }
      });
    });
  };

  #reaches(from: SimulatedEngine, to: SimulatedEngine): boolean {
    const urlOf = (engine: SimulatedEngine) => this.places.find(({ server }) => server?.engine === engine)?.url ?? '';
    return to.process.state !== 'ended' && !this.#partitioned.has(pairOf(urlOf(from), urlOf(to)));
  }
}

function pairOf(one: string, other: string): string {
  return [one, other].toSorted().join(' ');
}
