import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, it } from 'node:test';
import type { ClusterNodeEvents } from '../../../../server/cluster/cluster-node.js';
import type { KnownNode } from '../../../../server/cluster/cluster-store.js';
import { EdgeRelays } from '../../../../server/cluster/relay/edge-relays.js';
import { RelayPasses } from '../../../../server/cluster/relay/relay-pass.js';
import { MediaError } from '../../../../server/media/engine/media-error.js';
import type { ConnectedMedia } from '../../../../server/media/engine/media-session.js';
import { StreamRegistry } from '../../../../server/streams/stream-registry.js';
import type { StreamElsewhere, StreamsElsewhere } from '../../../../server/streams/streams-elsewhere.js';
import { FakeEngine } from '../../../support/media/fake-engine.js';
import { until } from '../../../support/media/until.js';
import { aViewer, dataOf } from '../../../support/member.js';
import { streamIdOf } from '../../../../server/streams/stream-id.js';

const STREAM = streamIdOf('acme', 'main');

/** Receives streams as soon as the other server has answered. */
class RelayEngine extends FakeEngine {
  readonly receiving = new Set<string>();
  /** Calls reach the other server, and media does not. */
  isCutOff = false;
  #count = 0;

  canRelay(): boolean {
    return true;
  }

  async receiveRelay(stream: string, exchange: (offer: string) => Promise<string>): Promise<ConnectedMedia> {
    await exchange('offer');
    if (this.isCutOff) throw new MediaError('engine_unavailable', 'the link to another server broke');
    const id = `${stream} ${(this.#count += 1)}`;
    this.receiving.add(id);
    return { id, close: () => void this.receiving.delete(id) };
  }

  lose(): void {
    for (const id of this.receiving) {
      this.receiving.delete(id);
      this.emit('session-lost', id, 'transport_lost');
    }
  }
}

class FakeElsewhere extends EventEmitter<{ changed: [streamId: string] }> implements StreamsElsewhere {
  stream: StreamElsewhere | undefined;
  endOf: NonNullable<StreamsElsewhere['endOf']> = () => undefined;

  put(stream: StreamElsewhere | undefined): void {
    this.stream = stream;
    this.emit('changed', STREAM);
  }

  find(streamId: string): StreamElsewhere | undefined {
    return streamId === STREAM ? this.stream : undefined;
  }

  ofAccount(): readonly StreamElsewhere[] {
    return [];
  }

  refreshIfStale(): undefined {
    return undefined;
  }
}

class FakeNode extends EventEmitter<ClusterNodeEvents> {
  nodes: readonly KnownNode[] = [];
  readonly identity = { id: 'own', url: 'https://own.example.com' };
  epoch: { id: string; epoch: number } | undefined = { id: 'own', epoch: 1 };
}

describe('a server with viewers of a stream that another server has', () => {
  const passes = new RelayPasses(createSecretKey(randomBytes(32)));
  let engine: RelayEngine;
  let elsewhere: FakeElsewhere;
  let node: FakeNode;
  let streams: StreamRegistry;
  let relays: EdgeRelays;
  let origin: Server;
  let asked: { streamId: string; from: string; to: string; epoch: number }[];
  let respond: (pass: string) => { readonly status: number; readonly body: object };

  beforeEach(async () => {
    engine = new RelayEngine();
    elsewhere = new FakeElsewhere();
    node = new FakeNode();
    asked = [];
    respond = (pass) => ({
      status: 200,
      body: { status: 'success', data: { answer: 'answer', proof: passes.prove(pass, 'answer') } },
    });
    origin = createServer(async (req, res) => {
      let text = '';
      for await (const chunk of req) text += chunk;
      const { pass, offer } = JSON.parse(text);
      const check = passes.check(pass, offer, Date.now());
      if (check.ok) asked.push(check.pass);
      const { status, body } = respond(pass);
      res.writeHead(status).end(JSON.stringify(body));
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    streams = new StreamRegistry(engine, { elsewhere });
    const log = { warn() {}, info() {} };
    relays = new EdgeRelays({ node, passes, engine, streams, now: Date.now, log });
  });

  afterEach(async () => {
    relays.close();
    origin.closeAllConnections();
    origin.close();
    await engine.close();
  });

  const url = () => `http://127.0.0.1:${(origin.address() as AddressInfo).port}`;
  const stream = (overrides: Partial<StreamElsewhere> = {}): StreamElsewhere => ({
    streamId: STREAM,
    node: { id: 'other', epoch: 5 },
    url: url(),
    live: true,
    liveSince: 1,
    publishers: [{ tokenId: 1 }],
    sources: [
      {
        sourceId: null,
        sessionId: 's',
        tokenId: 1,
        liveSince: 1,
        freeInMs: undefined,
        isInterrupted: false,
        isOf: () => false,
      },
    ],
    ...overrides,
  });
  const isAlive = (alive: boolean) => (node.nodes = [{ id: 'other', url: url(), epoch: 5, isAlive: alive }]);
  const joined = () => {
    const viewer = aViewer();
    streams.join(STREAM, viewer);
    return viewer;
  };
  const receives = () => until('the stream is received', () => engine.receiving.size === 1);
  /** A viewer who watches. */
  const watching = async () => {
    elsewhere.put(stream());
    isAlive(true);
    const viewer = joined();
    await receives();
    engine.emit('live', STREAM, null, ['audio', 'video']);
    return viewer;
  };

  it('asks that server for the stream in its epoch, when a viewer is about to connect', async () => {
    elsewhere.put(stream());
    assert.equal(relays.serves(STREAM), true);
    relays.prepare(STREAM);
    await receives();
    assert.deepEqual(asked, [{ streamId: STREAM, from: 'own', to: 'other', epoch: 5 }]);
  });

  it('receives it once for any number of viewers', async () => {
    await watching();
    joined();
    joined();
    assert.equal(asked.length, 1);
  });

  it('receives it for viewers who waited for it', async () => {
    joined();
    elsewhere.put(stream());
    await receives();
  });

  it('receives it again when the relay breaks', async () => {
    await watching();
    engine.lose();
    await until('it is received again', () => asked.length === 2 && engine.receiving.size === 1);
  });

  it('receives it from another server as soon as that one has it', async () => {
    const viewer = await watching();
    isAlive(false);
    elsewhere.put(undefined);
    assert.equal(engine.receiving.size, 0);
    elsewhere.put(stream({ node: { id: 'third', epoch: 1 } }));
    await receives();
    assert.deepEqual([asked.at(-1)?.to, dataOf(viewer, 'inactive').length], ['third', 0]);
  });

  it('tells viewers that the broadcast was meant to end there, whether they see the end at once or the relay ends first', async () => {
    const viewer = await watching();
    const endedOn = Date.now() + 1;
    elsewhere.endOf = () => ({ endedOn, tokenId: 1 });
    engine.emit('ended', STREAM, null);
    elsewhere.put(undefined);
    const late = joined();
    const end = { streamId: STREAM, sourceId: null, declared: true, endedOn };
    assert.deepEqual([dataOf(viewer, 'inactive'), dataOf(late, 'inactive')], [[end], [end]]);
  });

  it('tells viewers what is interrupted there, also those who come then, and that the relay is while it brings nothing', async () => {
    const viewer = await watching();
    const interrupt = (isInterrupted: boolean) =>
      elsewhere.put(stream({ sources: stream().sources.map((source) => Object.assign(source, { isInterrupted })) }));
    const interrupted = { streamId: STREAM, sourceIds: [null] };
    const back = { streamId: STREAM, sourceIds: [] };
    interrupt(true);
    assert.deepEqual([dataOf(viewer, 'interrupted'), dataOf(joined(), 'interrupted')], [[interrupted], [interrupted]]);
    interrupt(false);
    assert.deepEqual(dataOf(viewer, 'interrupted'), [interrupted, back]);
    engine.emit('ended', STREAM, null);
    interrupt(true);
    // Its media comes back there before it comes here.
    interrupt(false);
    assert.deepEqual(dataOf(viewer, 'interrupted'), [interrupted, back, interrupted]);
    engine.emit('live', STREAM, null, ['audio', 'video']);
    assert.deepEqual(dataOf(viewer, 'interrupted'), [interrupted, back, interrupted, back]);
  });

  it('ends the relay of an epoch that is over, and asks in the next', async () => {
    await watching();
    elsewhere.put(stream({ node: { id: 'other', epoch: 6 } }));
    await until('it is received again', () => asked.length === 2 && engine.receiving.size === 1);
    assert.equal(asked.at(-1)?.epoch, 6);
  });

  it('ends every relay when it may not keep its own leases, and begins again when it may', async () => {
    await watching();
    node.epoch = undefined;
    node.emit('lapsed');
    assert.deepEqual([engine.receiving.size, relays.serves(STREAM)], [0, false]);
    node.epoch = { id: 'own', epoch: 2 };
    node.emit('renewed', 0);
    await receives();
  });

  it('tells viewers at once of the end of a stream whose server lives', async () => {
    const viewer = await watching();
    elsewhere.put(undefined);
    assert.equal(dataOf(viewer, 'inactive').length, 1);
  });

  it('lets viewers keep the picture of a server that is about to stop', async () => {
    const viewer = await watching();
    relays.nodeStops('other');
    elsewhere.put(undefined);
    assert.equal(dataOf(viewer, 'inactive').length, 0);
  });

  it('asks again while the stream has no publisher, and while its server cannot be reached', async () => {
    const statuses = [503, 409, 502];
    const success = respond;
    respond = (pass) => {
      const status = statuses.shift();
      return status === undefined ? success(pass) : { status, body: {} };
    };
    elsewhere.put(stream());
    relays.prepare(STREAM);
    await receives();
    assert.equal(relays.serves(STREAM), true);
  });

  for (const [what, answer] of Object.entries({
    'refuses it': () => ({ status: 401, body: {} }),
    'is of a version without relays': () => ({ status: 404, body: {} }),
    'does not prove its answer': () => ({ status: 200, body: { data: { answer: 'forged', proof: 'forged' } } }),
    'sends something else': () => ({ status: 200, body: { data: 'hello' } }),
  })) {
    it(`lets viewers go to a server that ${what}`, async () => {
      respond = answer;
      elsewhere.put(stream());
      const changed = once(relays, 'changed');
      joined();
      assert.deepEqual(await changed, [STREAM]);
      assert.deepEqual([relays.serves(STREAM), engine.receiving.size], [false, 0]);
    });
  }

  it('receives it from another server that has it next, whatever the one before has refused', async () => {
    const success = respond;
    respond = () => ({ status: 404, body: {} });
    elsewhere.put(stream());
    const changed = once(relays, 'changed');
    joined();
    await changed;
    respond = success;
    elsewhere.put(stream({ node: { id: 'third', epoch: 1 } }));
    assert.equal(relays.serves(STREAM), true);
    await receives();
    assert.equal(asked.at(-1)?.to, 'third');
  });

  it('lets viewers go to a server whose media does not come through', async () => {
    engine.isCutOff = true;
    elsewhere.put(stream());
    const changed = once(relays, 'changed');
    joined();
    assert.deepEqual([await changed, asked.length, relays.serves(STREAM)], [[STREAM], 2, false]);
  });

  for (const [what, wrong] of Object.entries({
    'has no address': { url: undefined },
    'has the address of this one': { url: 'https://own.example.com' },
  })) {
    it(`does not ask a server that ${what}`, () => {
      elsewhere.put(stream(wrong));
      assert.equal(relays.serves(STREAM), false);
    });
  }

  it('lets viewers go when it is about to stop, and receives the stream until they are gone', async () => {
    await watching();
    relays.stop();
    assert.deepEqual([relays.serves(STREAM), engine.receiving.size], [false, 1]);
    elsewhere.put(stream({ node: { id: 'third', epoch: 1 } }));
    assert.deepEqual([asked.length, engine.receiving.size], [1, 0]);
  });

  it('stops to receive when it closes', async () => {
    await watching();
    relays.close();
    assert.equal(engine.receiving.size, 0);
  });
});
