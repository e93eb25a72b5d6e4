import assert from 'node:assert/strict';
import { afterEach, describe, it, mock } from 'node:test';
import { EventEmitter } from 'node:events';
import { pino } from 'pino';
import { AccountSessions } from '../../../server/admission/account-sessions.js';
import { Enforcement } from '../../../server/admission/enforcement.js';
import { TokenViewings } from '../../../server/admission/token-viewings.js';
import { followFaults } from '../../../server/faults/fault.js';
import type { MediaEngineEvents } from '../../../server/media/engine/media-engine.js';
import type { Verdict } from '../../../server/rules/rule.js';
import { Entrance } from '../../../server/sessions/entrance.js';
import { Sessions } from '../../../server/sessions/sessions.js';
import { ViewerMigration } from '../../../server/sessions/viewer-migration.js';
import type { StopNotice } from '../../../server/sessions/stop-notice.js';
import { NO_RELAYED_STREAMS, StreamPlaces } from '../../../server/streams/stream-places.js';
import { StreamRegistry } from '../../../server/streams/stream-registry.js';
import type { StreamElsewhere, StreamsElsewhere } from '../../../server/streams/streams-elsewhere.js';
import { Cleanup } from '../../support/cleanup.js';
import { aGrant } from '../../support/grant.js';
import { FakeEngine } from '../../support/media/fake-engine.js';
import { sdpOffer } from '../../support/media/offer.js';
import { until } from '../../support/media/until.js';
import { streamIdOf, type StreamId } from '../../../server/streams/stream-id.js';

const STREAM = streamIdOf('acme', 'main');

class FakeElsewhere extends EventEmitter<{ changed: [streamId: StreamId] }> implements StreamsElsewhere {
  stream: StreamElsewhere | undefined;

  /** The stream is on a server with this address. */
  begin(url: string | undefined, live = true): void {
    const node = { id: 'other', epoch: 1 };
    this.stream = { streamId: STREAM, node, url, live, liveSince: 1, publishers: [], sources: [] };
    this.emit('changed', STREAM);
  }

  end(): void {
    this.stream = undefined;
    this.emit('changed', STREAM);
  }

  find(streamId: StreamId): StreamElsewhere | undefined {
    return streamId === STREAM ? this.stream : undefined;
  }

  ofAccount(): readonly StreamElsewhere[] {
    return [];
  }

  refreshIfStale(): undefined {
    return undefined;
  }
}

describe('ViewerMigration', () => {
  const cleanup = new Cleanup();
  afterEach(() => cleanup.run());

  const opened = (nodeUrl: string | undefined = 'https://own.example.com') => {
    const engine: FakeEngine & EventEmitter<MediaEngineEvents> = new FakeEngine();
    const elsewhere = new FakeElsewhere();
    const streams = new StreamRegistry(engine, { elsewhere });
    const log = pino({ level: 'silent' });
    const admission = {
      full: false,
      recheck(): Verdict {
        return this.full ? { allowed: false, reason: 'token_full' } : { allowed: true };
      },
    };
    const sessions = new Sessions({ engine, streams, admission, refusals: { sourceInUse() {} }, log });
    const viewings = new TokenViewings();
    viewings.follow(sessions);
    const accounts = new AccountSessions({ maxOf: () => null, elsewhere: () => 0 });
    accounts.follow(sessions);
    const tokens = Object.assign(new EventEmitter(), { findById: () => undefined });
    const enforcement = new Enforcement({ sessions, tokens, streams, admission, now: () => 0, onFault: assert.fail });
    cleanup.after(() => enforcement.close());
    /** The viewings of the token, and the sessions of the account. */
    const counted = () => [viewings.countOf('acme', 7), accounts.here('acme')];
    const places = new StreamPlaces({ streams, nodeUrl, isShared: true, relayed: NO_RELAYED_STREAMS });
    const entrance = new Entrance();
    const migration = new ViewerMigration({ sessions, streams, places, entrance });
    cleanup.after(() => migration.close());
    let count = 0;
    const view = async (streamName = 'main') => {
      const events: string[] = [];
      const sent: { readonly name: string }[] = [];
      const stops: StopNotice[] = [];
      const grant = aGrant({ accountId: 'acme', streamName, sessionId: `viewer ${(count += 1)}` });
      const client = {
        send: (event: { readonly name: string }) => {
          sent.push(event);
          events.push(event.name);
        },
        stop: (n: StopNotice) => stops.push(n),
      };
      const session = sessions.openViewer(grant, client);
      await session.view(sdpOffer());
      session.startEvents();
      return { session, events, sent, stops };
    };
    return { elsewhere, sessions, migration, entrance, admission, view, counted };
  };
  const told = (viewers: readonly { readonly events: readonly string[] }[]) =>
    viewers.filter(({ events }) => events.includes('migrate')).length;

  it('tells all viewers who wait, in several turns of the event loop, and each once', async () => {
    const { elsewhere, sessions, view } = opened();
    const leaving: string[] = [];
    sessions.on('leaving', ({ id }) => leaving.push(id));
    const viewers: Awaited<ReturnType<typeof view>>[] = [];
    for (let index = 0; index < 600; index += 1) viewers.push(await view());
    const other = await view('another');
    elsewhere.begin('https://other.example.com');
    assert.equal(told(viewers), 0);
    const toldAfterTurns: number[] = [];
    for (let turn = 0; turn < 3; turn += 1) {
      await new Promise(setImmediate);
      toldAfterTurns.push(told(viewers));
    }
    assert.deepEqual(toldAfterTurns, [250, 500, 600]);
    elsewhere.begin('https://other.example.com');
    await new Promise(setImmediate);
    assert.equal(leaving.length, viewers.length);
    assert.equal(told([other]), 0);
    assert.ok(viewers.every(({ events }) => events.filter((name) => name === 'migrate').length === 1));
  });

  it('tells a viewer whose grant is older than the stream', async () => {
    const { elsewhere, view } = opened();
    elsewhere.begin('https://other.example.com');
    const viewer = await view();
    await until('the viewer is told', () => told([viewer]) === 1);
  });

  it('has all viewers look elsewhere, who may stay, and sends them when their stream is there', async () => {
    const { elsewhere, sessions, migration, view } = opened();
    const leaving: string[] = [];
    sessions.on('leaving', ({ id }) => leaving.push(id));
    const viewers = [await view(), await view('another')];
    migration.lookElsewhere();
    await until('both are told', () => told(viewers) === 2);
    assert.deepEqual(leaving, []);
    elsewhere.begin('https://other.example.com');
    await until('one leaves', () => leaving.length === 1);
    assert.deepEqual(leaving, [viewers[0]!.session.id]);
  });

  it('tells nobody where clients cannot be sent, nor before the stream is live', async () => {
    for (const [url, live] of [
      [undefined, true],
      ['https://own.example.com', true],
      ['https://other.example.com', false],
    ] as const) {
      const { elsewhere, view } = opened();
      const viewer = await view();
      elsewhere.begin(url, live);
      // Timers run in the order in which they are set.
      await new Promise((resolve) => setTimeout(resolve, 1));
      assert.equal(told([viewer]), 0);
    }
  });

  it('tells nobody of a stream that is not there any more, and nobody when it was closed', async () => {
    const { elsewhere, migration, view } = opened();
    const viewer = await view();
    elsewhere.begin('https://other.example.com');
    elsewhere.end();
    await new Promise(setImmediate);
    elsewhere.begin('https://other.example.com');
    migration.close();
    await new Promise(setImmediate);
    assert.equal(told([viewer]), 0);
  });

  it('sends viewers who are told to look and whose stream is elsewhere, and leaves publishers alone', async () => {
    const { elsewhere, sessions, migration, view } = opened();
    const leaving: string[] = [];
    sessions.on('leaving', ({ id }) => leaving.push(id));
    const publisherTold: string[] = [];
    const grant = { ...aGrant({ role: 'Publish', sessionId: 'publisher' }), tokenId: 7 };
    sessions.openPublisher(grant, { send: ({ name }) => void publisherTold.push(name), stop: () => {} });
    const [viewer, other] = [await view(), await view()];
    elsewhere.begin('https://other.example.com');
    migration.lookElsewhere();
    await new Promise(setImmediate);
    assert.deepEqual([leaving, publisherTold], [[viewer.session.id, other.session.id], []]);
    const [first, second] = [viewer, other].map(({ sent }) => sent.find(({ name }) => name === 'migrate'));
    assert.equal(first, second, 'one event for all, which is encoded once');
  });

  describe('when the stream is not there any more', () => {
    /** One viewer who was told to move to a stream that then ended. `decide` ends the time that they have. */
    const toldToMove = async () => {
      const server = opened();
      const viewer = await server.view();
      assert.deepEqual(server.counted(), [1, 1]);
      mock.timers.enable({ apis: ['setTimeout'] });
      cleanup.after(() => mock.timers.reset());
      server.elsewhere.begin('https://other.example.com');
      await new Promise(setImmediate);
      assert.deepEqual(server.counted(), [0, 0]);
      server.elsewhere.end();
      return { ...server, ...viewer, decide: () => mock.timers.tick(10_000) };
    };

    it('counts a viewer who did not move again, and may send them later', async () => {
      const { session, stops, counted, elsewhere, decide } = await toldToMove();
      decide();
      assert.deepEqual([stops, counted()], [[], [1, 1]]);
      elsewhere.begin('https://other.example.com');
      await new Promise(setImmediate);
      assert.deepEqual(counted(), [0, 0]);
      decide();
      assert.deepEqual([stops.map(({ code }) => code), session.ended, counted()], [['moved'], true, [0, 0]]);
    });

    it('has nobody to end who has moved', async () => {
      const { session, decide } = await toldToMove();
      const faults: unknown[] = [];
      const unfollow = followFaults(({ error }) => faults.push(error));
      cleanup.after(unfollow);
      session.end();
      decide();
      assert.deepEqual(faults, []);
    });

    it('ends the session if another viewer has taken the place', async () => {
      const { stops, counted, view, decide, admission } = await toldToMove();
      await view();
      admission.full = true;
      decide();
      assert.deepEqual([stops.map(({ code }) => code), counted()], [['token_full'], [1, 1]]);
    });

    it('does not count viewers who did not move from a server that stops', async () => {
      const { entrance, stops, counted, decide } = await toldToMove();
      entrance.shut(1);
      decide();
      assert.deepEqual([stops, counted()], [[], [0, 0]]);
    });
  });
});
