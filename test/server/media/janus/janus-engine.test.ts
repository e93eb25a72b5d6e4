import assert from 'node:assert/strict';
import { after, before, describe, it, type TestContext } from 'node:test';
import { JanusEngine, type JanusLogEntry } from '../../../../server/media/janus/janus-engine.js';
import { JANUS_TIMES, type JanusTimes } from '../../../../server/media/janus/janus-times.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import type { OfferedViewing } from '../../../../server/media/engine/media-session.js';
import { BreakableProxy } from '../../../support/breakable-proxy.js';
import { startJanus, type TestJanus } from '../../../support/janus.js';
import {
  harnessOfATest,
  offeringHarness,
  type MediaPeer,
  type TestHarness,
} from '../../../support/media/media-harness.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { until } from '../../../support/media/until.js';
import { mediaEngineContract } from '../engine/media-engine.contract.js';

let origin: TestJanus;
let edge: TestJanus;
before(async () => {
  origin = await startJanus();
  edge = await startJanus(origin);
});
after(() => Promise.all([origin.stop(), edge.stop()]));

/** Shorter than usual, but a Janus that works answers within them also on a busy machine. */
const TIMES: JanusTimes = {
  keepaliveEvery: 200,
  answerWithin: 2_000,
  reclaimWithin: 1_000,
  awayAfter: 1_500,
  showAgainAfter: 500,
};

interface OpenOptions {
  readonly edgeUrls?: readonly string[];
  readonly url?: string;
  readonly times?: JanusTimes;
}

/** Resolves when every Janus is connected. */
async function openEngine(
  { edgeUrls = [], url = origin.url, times = TIMES }: OpenOptions = {},
  log: JanusLogEntry[] = [],
): Promise<JanusEngine> {
  const { apiSecret, roomKey } = origin;
  const onLog = (entry: JanusLogEntry) => log.push(entry);
  const engine = new JanusEngine({ url, edgeUrls, apiSecret, roomKey, maxBitrate: 4_000_000, times, onLog });
  const connected = () => log.filter(({ message }) => message === 'connected to Janus').length;
  await until('Janus is connected', () => connected() > edgeUrls.length);
  return engine;
}

const { capabilities } = JanusEngine;

const NOT_SHOWN = 'viewers could not be shown a publisher of Janus';
const asOperated = (options?: OpenOptions) => openEngine({ ...options, times: JANUS_TIMES });
mediaEngineContract('JanusEngine', async () => offeringHarness(await asOperated(), origin.mediaAddress), capabilities);
mediaEngineContract(
  'JanusEngine with an edge',
  async () => offeringHarness(await asOperated({ edgeUrls: [edge.url] }), origin.mediaAddress),
  capabilities,
);

async function harnessOf(t: TestContext, options?: OpenOptions) {
  const log: JanusLogEntry[] = [];
  const engine = await openEngine(options, log);
  const harness = harnessOfATest(offeringHarness(engine, origin.mediaAddress), '');
  t.after(async () => {
    harness.close();
    await engine.close();
  });
  const events: unknown[][] = [];
  for (const name of ['live', 'ended', 'session-lost'] as const) {
    engine.on(name, (...event: unknown[]) => events.push([name, ...event]));
  }
  return { harness, events, log };
}

async function publish({ engine, publisher }: TestHarness) {
  const peer = await publisher('s');
  const session = await engine.publish('s', peer.offer);
  await peer.accept(session);
  return { peer, session };
}

async function watch({ engine, viewer }: TestHarness) {
  const peer = await viewer();
  const session = await engine.offer!('s', peer.offer);
  await session.accept(await peer.answer(session.offer));
  return { peer, session };
}

async function flow(publisher: MediaPeer, viewer: MediaPeer) {
  const [sound, pictures] = [viewer.received('audio'), viewer.received('video')];
  await until('the viewer receives audio and video', () => {
    publisher.sendFrame();
    return viewer.received('audio') > sound && viewer.received('video') > pictures;
  });
}

describe('when Janus is restarted', () => {
  it('loses every session, ends every stream, and takes the next ones', async (t) => {
    const { harness, events } = await harnessOf(t);
    const published = await publish(harness);
    const watching = await watch(harness);
    await flow(published.peer, watching.peer);
    await origin.restart();
    await until('both sessions are lost', () => events.filter(([name]) => name === 'session-lost').length === 2);
    assert.deepEqual(
      events.slice(1).toSorted(),
      [
        ['ended', 's', null],
        ['session-lost', published.session.id, 'media_engine_restarted'],
        ['session-lost', watching.session.id, 'media_engine_restarted'],
      ].toSorted(),
    );
    const again = await publish(harness);
    await flow(again.peer, (await watch(harness)).peer);
  });

  it('does not show its address to the clients that it refuses', async (t) => {
    const engine = new JanusEngine({ url: 'ws://127.0.0.1:1', maxBitrate: 4_000_000 });
    t.after(() => engine.close());
    const refused = { code: 'engine_unavailable', message: 'Janus cannot be reached' };
    await assert.rejects(engine.offer('s', sdpOffer()), refused);
    await assert.rejects(engine.publish('s', sdpOffer({ direction: 'sendonly' })), refused);
  });

  it('refuses sessions until Janus is there again', async (t) => {
    const { harness, log } = await harnessOf(t);
    await origin.kill();
    await until('it is noticed', () => log.some(({ message }) => message.startsWith('Janus cannot be reached')));
    await assert.rejects(
      harness.engine.offer!('s', sdpOffer()),
      (error) => error instanceof MediaError && error.code === 'engine_unavailable',
    );
    await origin.restart();
    await until('it is connected again', () => log.filter(({ level }) => level === 'info').length > 1);
    await assert.doesNotReject(harness.engine.offer!('s', sdpOffer()));
  });
});

describe('when the websocket to Janus breaks', () => {
  /** An engine whose connection to Janus can be broken. */
  async function throughProxy(t: TestContext) {
    const proxy = await BreakableProxy.open(Number(new URL(origin.url).port));
    t.after(() => proxy.close());
    const opened = await harnessOf(t, { url: `ws://127.0.0.1:${proxy.port}` });
    const published = await publish(opened.harness);
    const watching = await watch(opened.harness);
    await flow(published.peer, watching.peer);
    return { ...opened, proxy, published, watching };
  }

  it('keeps the sessions, and goes on with them', async (t) => {
    const { harness, proxy, published, watching, events } = await throughProxy(t);
    proxy.break();
    await flow(published.peer, watching.peer);
    await until('Janus is connected again', () => proxy.connections > 0);
    const late = await harness.viewer();
    let offered: OfferedViewing | undefined;
    await until('a viewer is accepted', async () => {
      offered = await harness.engine.offer!('s', late.offer).catch(() => undefined);
      return offered !== undefined;
    });
    await offered!.accept(await late.answer(offered!.offer));
    await flow(published.peer, late);
    assert.deepEqual(
      events.map(([name]) => name),
      ['live'],
    );
  });

  it('disconnects a publisher who was stopped meanwhile', async (t) => {
    const { proxy, published } = await throughProxy(t);
    proxy.break();
    published.session.close();
    const canSend = (): boolean => {
      try {
        published.peer.sendFrame();
        return true;
      } catch {
        return false;
      }
    };
    await until('Janus has disconnected it', () => !canSend());
  });
});

describe('with an edge', () => {
  it('sends viewers to the Janus of publishers while the edge is away', async (t) => {
    const { harness, events } = await harnessOf(t, { edgeUrls: [edge.url] });
    const { peer: publisher } = await publish(harness);
    const { peer: viewer, session } = await watch(harness);
    await flow(publisher, viewer);
    await edge.kill();
    await until('its viewers are lost', () =>
      events.some(([name, id]) => name === 'session-lost' && id === session.id),
    );
    const { peer: other } = await watch(harness);
    await flow(publisher, other);
    await edge.restart();
  });
});

describe('with an edge that fails while the stream is live', () => {
  it('shows viewers the stream over the edge again after the edge was restarted', async (t) => {
    const { harness, events, log } = await harnessOf(t, { edgeUrls: [edge.url] });
    const { peer: publisher } = await publish(harness);
    const { peer: viewer } = await watch(harness);
    await flow(publisher, viewer);
    await edge.restart();
    await until('its viewer is lost', () => events.some(([name]) => name === 'session-lost'));
    await until('it is connected again', () => log.filter(({ level }) => level === 'info').length >= 3);
    const { peer: other } = await watch(harness);
    await flow(publisher, other);
    assert.ok(!log.some(({ message }) => message === NOT_SHOWN));
  });

  it('shows viewers the stream when the edge goes on that stood still as the stream began', async (t) => {
    const { harness, events, log } = await harnessOf(t, {
      edgeUrls: [edge.url],
      times: { ...TIMES, reclaimWithin: 60_000 },
    });
    const { peer: viewer } = await watch(harness);
    t.after(() => edge.thaw());
    edge.freeze();
    const { peer: publisher } = await publish(harness);
    await until('the edge does not answer', () => {
      publisher.sendFrame();
      return log.some(({ message }) => message === NOT_SHOWN);
    });
    edge.thaw();
    await flow(publisher, viewer);
    assert.ok(!events.some(([name]) => name === 'session-lost'));
  });
});

describe('the health of Janus', () => {
  const WELL = { isUsable: true, faults: [] };

  it('has a fault while the Janus of publishers is gone, and none when it is back', async (t) => {
    const { harness } = await harnessOf(t);
    const { engine } = harness;
    assert.deepEqual(engine.health(), WELL);
    await origin.kill();
    await until('it is away', () => engine.health().faults.length > 0);
    const { isUsable, faults } = engine.health();
    assert.deepEqual([isUsable, faults.map(({ component }) => component)], [false, ['janus']]);
    const { since } = faults[0]!;
    // By another clock than the one that decides.
    assert.ok(Date.now() - since > TIMES.awayAfter - 100, 'since its last answer');
    await origin.restart();
    await until('it is well', () => engine.health().faults.length === 0);
  });

  it('has a fault while an edge stands still, which gets no viewers, and none when it goes on', async (t) => {
    const { harness } = await harnessOf(t, { edgeUrls: [edge.url] });
    const { engine } = harness;
    t.after(() => edge.thaw());
    edge.freeze();
    // On a machine that stands still, the other one is silent too.
    await until('it alone is away', () => {
      const { isUsable, faults } = engine.health();
      return isUsable && faults.map(({ component }) => component).join() === 'janus_edge_1';
    });
    const published = await publish(harness);
    await flow(published.peer, (await watch(harness)).peer);
    edge.thaw();
    await until('it is well', () => engine.health().faults.length === 0);
  });

  it('has a fault if Janus refuses this server', async (t) => {
    const engine = new JanusEngine({ url: origin.url, apiSecret: 'another', maxBitrate: 4_000_000, times: TIMES });
    t.after(() => engine.close());
    assert.deepEqual(engine.health(), WELL);
    await until('it is reported', () => !engine.health().isUsable);
  });

  it('has no address in its sentences, because anybody may read them', async (t) => {
    const engine = new JanusEngine({
      url: 'ws://127.0.0.1:1',
      edgeUrls: ['ws://127.0.0.1:2', 'ws://127.0.0.1:3'],
      maxBitrate: 4_000_000,
      times: TIMES,
    });
    t.after(() => engine.close());
    await until('all are away', () => engine.health().faults.length === 3);
    const { faults } = engine.health();
    assert.deepEqual(
      faults.map(({ component }) => component),
      ['janus', 'janus_edge_1', 'janus_edge_2'],
    );
    for (const { message } of faults) assert.doesNotMatch(message, /127\.0/);
  });
});
