import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { EXPIRES_AFTER_MS, HEARTBEAT_MS, STOPS_AFTER_MS } from '../../../../server/cluster/lease-times.js';
import { ApiError } from '../../../../server/errors.js';
import type { PublisherSession } from '../../../../server/sessions/publisher-session.js';
import type { ViewerSession } from '../../../../server/sessions/viewer-session.js';
import type { TokenRecord } from '../../../../server/tokens/token-record.js';
import type { ClientEvent } from '../../../../server/streams/stream-event.js';
import { sdpOffer } from '../../../support/media/offer.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';
import { SimulatedCluster } from './simulated-cluster.js';
import { ACCOUNT, type SimulatedServer } from './simulated-server.js';

const streamName = 'north';
const STREAM = streamIdOf(ACCOUNT, streamName);
/** What a server hears of is known to the others by then. */
const SOON_MS = 1_000;
/** Longer than everything that a server waits for. */
const LONG_MS = 60_000;

let cluster: SimulatedCluster;
let publishToken: TokenRecord;
let subscribeToken: TokenRecord;
afterEach(() => cluster.end());

async function open(
  count: number,
  {
    started = count,
    ...options
  }: { readonly nodeRelay?: boolean; readonly resumeWithinMs?: number; readonly started?: number } = {},
) {
  cluster = new SimulatedCluster({ seed: 1, servers: count, nodeRelay: false, ...options });
  publishToken = cluster.addToken({ id: 1, kind: 'publish' });
  subscribeToken = cluster.addToken({ id: 2 });
  const running = cluster.places.slice(0, started);
  for (const place of running) cluster.start(place);
  // Each knows the others after two heartbeats.
  await cluster.time.pass(3 * HEARTBEAT_MS);
  return running.map(({ server }) => server!);
}

const attempt = (token: TokenRecord, sessionKey?: string) => {
  const caller = { accountId: ACCOUNT, streamName, origin: undefined, address: '192.0.2.1' };
  return { ...caller, token: token.token, sessionKey };
};

/** What a director says: the code of a refusal, the address of another server, or nothing. */
async function asked(server: SimulatedServer, role: 'publish' | 'subscribe', token: TokenRecord) {
  return await cluster.run(server, async () => {
    try {
      const result = await server.admission.admit(role, attempt(token));
      return result.admitted ? server.places.placeOf(result.grant.role, STREAM) : result.reason;
    } catch (error) {
      if (error instanceof ApiError) return error.code;
      throw error;
    }
  });
}

/** In one word. */
function wordOf(event: ClientEvent): string {
  if (event.name === 'inactive' && event.data.declared) return 'over';
  if (event.name === 'interrupted') return event.data.sourceIds.length > 0 ? 'interrupted' : 'back';
  return event.name;
}

/** Lets a client in. `told` has its events, and the codes that it was stopped with. */
async function enter(server: SimulatedServer, role: 'publish' | 'subscribe', token: TokenRecord, sessionKey?: string) {
  const told: string[] = [];
  const session = await cluster.run(server, async () => {
    const result = await server.admission.admit(role, attempt(token, sessionKey));
    if (!result.admitted) throw new Error(result.reason);
    return server.sessions.open(result.grant, {
      send: (event) => told.push(wordOf(event)),
      stop: ({ code }) => told.push(code),
    });
  });
  return { told, session };
}

async function publishOn(server: SimulatedServer, { resumable = false, sessionKey = '' } = {}) {
  const { told, session } = await enter(server, 'publish', publishToken, sessionKey || undefined);
  const publisher = session as PublisherSession;
  await cluster.run(server, () => publisher.publish(sdpOffer({ direction: 'sendonly' }), { resumable }));
  cluster.time.within(server.process, () => server.engine.sendFrame(STREAM));
  await cluster.time.pass(SOON_MS);
  return { told, publisher };
}

async function viewOn(server: SimulatedServer, token = subscribeToken) {
  const { told, session } = await enter(server, 'subscribe', token);
  await cluster.run(server, async () => {
    await (session as ViewerSession).view(sdpOffer());
    (session as ViewerSession).startEvents();
  });
  await cluster.time.pass(SOON_MS);
  return { told, session };
}

const cutOff = (index: number): (() => void) => {
  const { link } = cluster.places[index]!;
  link.isCut = true;
  cluster.database.deafen(link);
  return () => (link.isCut = false);
};
const mediaEvents = (told: readonly string[]) => told.filter((name) => name !== 'viewercount');

describe('a server that is cut off from the database', () => {
  it('stops its publishers before another may have their names, and lets them back in after', async () => {
    const [server] = await open(1);
    const { told, publisher } = await publishOn(server!);
    const mend = cutOff(0);
    await cluster.time.pass(STOPS_AFTER_MS - HEARTBEAT_MS - SOON_MS);
    assert.equal(publisher.ended, false, 'not at once');
    await cluster.time.pass(HEARTBEAT_MS + 2 * SOON_MS);
    assert.deepEqual([publisher.ended, told.at(-1)], [true, 'database_unavailable']);
    assert.equal(await asked(server!, 'publish', publishToken), 'database_unavailable');
    mend();
    await cluster.time.pass(LONG_MS);
    await publishOn(server!);
  });

  it('has viewers look for their stream on the others, once, and keeps those who find none', async () => {
    const [server] = await open(2);
    const { told, session } = await viewOn(server!);
    cutOff(0);
    await cluster.time.pass(STOPS_AFTER_MS + SOON_MS);
    assert.deepEqual(mediaEvents(told), []);
    await cluster.time.pass(LONG_MS);
    assert.deepEqual([mediaEvents(told), session.ended], [['migrate'], false]);
  });

  it('has nobody look where there is no other', async () => {
    const [server] = await open(1);
    const { told, session } = await viewOn(server!);
    cutOff(0);
    await cluster.time.pass(LONG_MS);
    assert.deepEqual([mediaEvents(told), session.ended], [[], false]);
  });

  it('tells the others of its viewers again, who took it for lost and have forgotten them', async () => {
    const [server, other] = await open(2);
    const limited = cluster.addToken({ id: 3, maxSessions: 1 });
    await cluster.time.pass(SOON_MS);
    const { session } = await viewOn(server!, limited);
    assert.equal(await asked(other!, 'subscribe', limited), 'token_full');
    const mend = cutOff(0);
    await cluster.time.pass(EXPIRES_AFTER_MS + HEARTBEAT_MS + SOON_MS);
    assert.equal(await asked(other!, 'subscribe', limited), undefined);
    mend();
    await cluster.time.pass(LONG_MS);
    assert.deepEqual([await asked(other!, 'subscribe', limited), session.ended], ['token_full', false]);
  });
});

describe('servers whose database is slow', () => {
  it('keep their broadcasts, and take others', async () => {
    const [server, other] = await open(2);
    const { told, publisher } = await publishOn(server!);
    // Far more than on any network, and less than heartbeats wait.
    cluster.database.lateMs = 500;
    await cluster.time.pass(LONG_MS);
    assert.deepEqual([publisher.ended, mediaEvents(told)], [false, []]);
    assert.equal(await asked(other!, 'publish', publishToken), 'stream_in_use');
  });
});

describe('servers that do not hear each other', () => {
  it('read what they are asked for, and miss nothing that happened', async () => {
    const [one, other] = await open(2);
    cluster.database.isDeaf = true;
    cluster.database.deafen();
    await cluster.time.pass(10_000);
    const { publisher } = await publishOn(one!);
    assert.equal(await asked(other!, 'subscribe', subscribeToken), one!.url);
    publisher.end();
    await cluster.time.pass(SOON_MS);
    assert.equal(await asked(other!, 'subscribe', subscribeToken), undefined);
    await publishOn(one!);
    assert.equal(other!.cluster.streams.find(STREAM), undefined, 'nobody has asked');
    cluster.database.isDeaf = false;
    await cluster.time.pass(2_000);
    assert.equal(other!.cluster.streams.find(STREAM)?.node.id, one!.id);
  });
});

describe('a server that took itself for the only one, and did not hear that another has come', () => {
  it('tells it how many watch here', async () => {
    const [one] = await open(2, { nodeRelay: true, started: 1 });
    await publishOn(one!);
    await viewOn(one!);
    cluster.database.isDeaf = true;
    cluster.database.deafen();
    await cluster.time.pass(10_000);
    // Its next heartbeat, which will find the other, is as far away as can be.
    const { asOf } = one!.cluster.othersAlive()!;
    await cluster.passUntil(() => one!.cluster.othersAlive()!.asOf > asOf);
    const place = cluster.places[1]!;
    cluster.start(place);
    await cluster.passUntil(() => place.state === 'running');
    await cluster.time.pass(HEARTBEAT_MS / 8);
    cluster.database.isDeaf = false;
    await cluster.time.pass(HEARTBEAT_MS / 4);
    assert.equal(one!.cluster.hasOthers(), false, 'no heartbeat has told it');
    await cluster.time.pass(HEARTBEAT_MS + SOON_MS);
    assert.equal(place.server!.cluster.viewersElsewhere(STREAM), 1);
  });
});

describe('a publisher who cannot resume, because the database does not take the claim in time', () => {
  it('does not keep the name when the time to resume is over', async () => {
    const [server, other] = await open(2, { resumeWithinMs: 20_000 });
    const { publisher } = await publishOn(server!, { resumable: true });
    assert.equal(await asked(other!, 'publish', publishToken), 'stream_in_use');
    cluster.time.within(server!.process, () => publisher.connectionLost());
    cluster.database.isLocked = true;
    const { sessionKey } = publisher;
    await assert.rejects(publishOn(server!, { resumable: true, sessionKey }), { code: 'database_unavailable' });
    cluster.database.isLocked = false;
    await cluster.time.pass(LONG_MS);
    assert.deepEqual(await cluster.database.store.leases(), []);
    assert.equal(await asked(other!, 'publish', publishToken), undefined);
  });
});

describe('a publisher whose claim is executed after their server gave it up', () => {
  it('does not keep the name', async () => {
    const [server, other] = await open(2);
    cluster.database.executesClaimsLate = true;
    await assert.rejects(publishOn(server!), { code: 'database_unavailable' });
    await cluster.time.pass(2 * SOON_MS);
    assert.deepEqual(await cluster.database.store.leases(), []);
    cluster.database.executesClaimsLate = false;
    await publishOn(other!);
  });
});

describe('servers that relay a stream', () => {
  const relaying = async () => {
    const servers = await open(3, { nodeRelay: true, resumeWithinMs: LONG_MS });
    const [origin, edge, third] = servers as [SimulatedServer, SimulatedServer, SimulatedServer];
    const { told: publisherTold, publisher } = await publishOn(origin);
    const viewer = await viewOn(edge);
    assert.deepEqual(mediaEvents(viewer.told), ['active']);
    return { origin, edge, third, publisher, publisherTold, viewer };
  };
  const receives = (edge: SimulatedServer, from: SimulatedServer) =>
    cluster.links.open.some((link) => link.edge === edge.engine && link.origin === from.engine);

  it('keep the viewers of one that is cut off from the database, and show them the stream again after', async () => {
    const { origin, edge, third, viewer, publisherTold } = await relaying();
    const other = await viewOn(third);
    const mend = cutOff(1);
    await cluster.time.pass(STOPS_AFTER_MS + 2 * SOON_MS);
    assert.deepEqual([receives(edge, origin), receives(third, origin)], [false, true]);
    assert.equal(await asked(edge, 'subscribe', subscribeToken), 'database_unavailable');
    mend();
    await cluster.time.pass(LONG_MS);
    assert.ok(receives(edge, origin));
    assert.deepEqual([viewer.session.ended, mediaEvents(other.told)], [false, ['active']]);
    // This client does not look elsewhere.
    assert.ok(!mediaEvents(viewer.told).includes('server_stopping'), String(viewer.told));
    assert.ok(!publisherTold.includes('stopped'));
  });

  it('end what one sends that is cut off from the database, before another may have its streams', async () => {
    const { origin, edge } = await relaying();
    cutOff(0);
    await cluster.time.pass(STOPS_AFTER_MS + SOON_MS);
    assert.equal(receives(edge, origin), false);
  });

  it('go on from another when the one that has it is killed, and keep the last picture', async () => {
    const { edge, third, viewer } = await relaying();
    cluster.kill(cluster.places[0]!);
    await cluster.time.pass(EXPIRES_AFTER_MS + HEARTBEAT_MS + SOON_MS);
    assert.equal(await asked(third, 'publish', publishToken), undefined, 'the name is free');
    await publishOn(third);
    assert.ok(receives(edge, third));
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted', 'back']);
  });

  it('go on from another when the one that has it stops, whose name is free at once', async () => {
    const { origin, edge, third, viewer, publisher } = await relaying();
    await cluster.run(origin, () => origin.stop());
    await cluster.time.pass(SOON_MS);
    assert.ok(publisher.ended);
    await publishOn(third);
    assert.ok(receives(edge, third));
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted', 'back']);
  });

  it('show that of one, when the one that had it is paused past its lease and woken', async () => {
    const { origin, edge, third, viewer } = await relaying();
    cluster.pause(cluster.places[0]!, 20_000);
    await cluster.time.pass(EXPIRES_AFTER_MS + HEARTBEAT_MS + SOON_MS);
    const { publisher: second } = await publishOn(third);
    assert.ok(receives(edge, third));
    await cluster.time.pass(20_000);
    assert.deepEqual([receives(edge, third), receives(edge, origin)], [true, false]);
    cluster.time.within(third.process, () => second.end());
    await cluster.time.pass(SOON_MS);
    assert.deepEqual(
      [mediaEvents(viewer.told), receives(edge, origin)],
      [['active', 'interrupted', 'back', 'over'], false],
    );
  });

  it('end it everywhere at once when its publisher stops, and for nobody when its viewers leave', async () => {
    const { origin, edge, publisher, viewer } = await relaying();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'over']);
    await publishOn(origin);
    assert.ok(receives(edge, origin));
    cluster.time.within(edge.process, () => viewer.session.end());
    await cluster.time.pass(LONG_MS);
    assert.deepEqual(cluster.links.open, []);
  });
});

describe('a broadcast that ends', () => {
  const withViewers = async () => {
    const [origin, edge, third] = await open(3, { nodeRelay: true, resumeWithinMs: 5_000 });
    const { publisher } = await publishOn(origin!, { resumable: true });
    const viewer = await viewOn(edge!);
    return { origin: origin!, edge: edge!, third: third!, publisher, viewer };
  };
  const ended = async (server: SimulatedServer) => mediaEvents((await viewOn(server)).told);

  it('is over for viewers on every server, and for those who come then, until it is live again', async () => {
    const { origin, edge, third, publisher, viewer } = await withViewers();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'over']);
    for (const server of [origin, edge, third]) assert.deepEqual(await ended(server), ['over']);
    await publishOn(third);
    for (const server of [origin, edge, third]) assert.deepEqual(await ended(server), ['active']);
  });

  it('is not over when its publisher is lost, also if one before was', async () => {
    const { origin, third, publisher, viewer } = await withViewers();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    const { publisher: second } = await publishOn(origin, { resumable: true });
    cluster.time.within(origin.process, () => second.connectionLost());
    await cluster.time.pass(LONG_MS);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'over', 'active', 'interrupted', 'inactive', 'back']);
    assert.deepEqual(await ended(third), []);
  });

  it('is over in the end for viewers of a server that heard nothing of it, who took it for a loss', async () => {
    const { origin, publisher, viewer } = await withViewers();
    cluster.database.isDeaf = true;
    cluster.database.deafen();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(20_000);
    assert.equal(mediaEvents(viewer.told).includes('over'), false);
    cluster.database.isDeaf = false;
    await cluster.time.pass(2_000);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted', 'inactive', 'back', 'over']);
  });

  it('is live again for viewers of a server that hears of its end after the next has begun', async () => {
    const { origin, third, publisher, viewer } = await withViewers();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    cluster.database.isDeaf = true;
    cluster.database.deafen();
    await cluster.time.pass(10_000);
    await publishOn(third);
    cluster.database.isDeaf = false;
    await cluster.time.pass(5_000);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'over', 'active']);
  });

  it('is told by a server that could not write that it ended, as soon as it can', async () => {
    const { origin, third, publisher } = await withViewers();
    const mend = cutOff(0);
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    mend();
    await cluster.time.pass(3 * HEARTBEAT_MS);
    assert.deepEqual(await ended(third), ['over']);
  });

  it('is known after every server was started anew', async () => {
    const { origin, publisher } = await withViewers();
    cluster.time.within(origin.process, () => publisher.end());
    await cluster.time.pass(SOON_MS);
    for (const place of cluster.places) cluster.stop(place);
    await cluster.time.pass(20_000);
    const [server] = cluster.servers;
    assert.deepEqual(await ended(server!), ['over']);
  });
});

describe('a broadcaster who is lost for some seconds', () => {
  const hear = (server: SimulatedServer, packets: number) =>
    cluster.time.within(server.process, () => {
      const state = { packets, lost: 0, shed: 0, jitterMs: 0, bitrate: 0, codecs: {} };
      server.engine.emit('reception', STREAM, null, state);
    });

  it('is reconnecting for viewers on every server, also for those who come then, until the media is back', async () => {
    const [origin, edge, third] = await open(3, { nodeRelay: true });
    await publishOn(origin!);
    const viewer = await viewOn(edge!);
    for (const packets of [1, 0, 0]) hear(origin!, packets);
    await cluster.time.pass(SOON_MS);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted']);
    const late = await viewOn(third!);
    assert.deepEqual(mediaEvents(late.told), ['active', 'interrupted']);
    hear(origin!, 1);
    await cluster.time.pass(SOON_MS);
    for (const { told } of [viewer, late]) assert.deepEqual(mediaEvents(told), ['active', 'interrupted', 'back']);
  });

  it('is back for viewers of a server that did not hear of it at once, and that of a lost one is not taken for back', async () => {
    const [origin, edge] = await open(2, { nodeRelay: true });
    await publishOn(origin!);
    const viewer = await viewOn(edge!);
    for (const packets of [1, 0, 0]) hear(origin!, packets);
    await cluster.time.pass(SOON_MS);
    cluster.database.isDeaf = true;
    cluster.database.deafen();
    hear(origin!, 1);
    await cluster.time.pass(5_000);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted'], 'nobody has told it');
    cluster.database.isDeaf = false;
    await cluster.time.pass(2_000);
    assert.deepEqual(mediaEvents(viewer.told), ['active', 'interrupted', 'back']);
  });
});
