import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { displaceOldest, type DisplacedSession } from '../../../server/admission/displacement.js';
import { Enforcement, type EnforcedSession } from '../../../server/admission/enforcement.js';
import { TokenViewings, type ViewingElsewhere, type ViewingsBegun } from '../../../server/admission/token-viewings.js';
import { clusterMessage, type SharedViewing } from '../../../server/cluster/cluster-message.js';
import { ClusterViewings } from '../../../server/cluster/cluster-viewings.js';
import { SharedViewings } from '../../../server/cluster/shared-viewings.js';
import { aGrant } from '../../support/grant.js';

const TOKEN = 7;
const VIEWERS = 3_000;
const aViewing = (id: number, fields: Partial<SharedViewing> = {}): SharedViewing => {
  return { id, accountId: 'acme', tokenId: TOKEN, signed: null, since: id, ...fields };
};
const signedAs = (id: string) => ({
  until: Infinity,
  allowedOrigins: [],
  allowedIpAddresses: [],
  deniedIpAddresses: [],
  allowedCountries: [],
  deniedCountries: [],
  maxSessions: 1,
  id,
});

describe('ClusterViewings', () => {
  it('counts as a list of the viewings does, whatever begins, ends and is lost in whichever order', () => {
    const step = fc.record({
      node: fc.constantFrom('a', 'b'),
      id: fc.nat(5),
      what: fc.constantFrom('viewing', 'viewing', 'viewing', 'viewing-ended', 'viewings-reset', 'lost'),
      tokenId: fc.constantFrom(1, 2),
      signedId: fc.constantFrom(undefined, 'x', 'y'),
      since: fc.nat(4),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const viewings = new ClusterViewings();
        const list = new Map<string, ViewingElsewhere>();
        const forget = (node: string) => {
          for (const key of list.keys()) if (key.startsWith(node)) list.delete(key);
        };
        for (const { node, id, what, tokenId, signedId, since } of steps) {
          if (what === 'viewing') {
            const signed = signedId === undefined ? null : { id: signedId, maxSessions: 1 };
            const viewing = aViewing(id, { tokenId, signed, since });
            viewings.message(node, { type: what, viewing });
            list.set(`${node} ${id}`, viewing);
          } else if (what === 'viewing-ended') {
            viewings.message(node, { type: what, id });
            list.delete(`${node} ${id}`);
          } else {
            if (what === 'lost') viewings.keepOnly(new Set(['a', 'b'].filter((each) => each !== node)));
            else viewings.message(node, { type: 'viewings-reset' });
            forget(node);
          }
        }
        for (const token of [1, 2]) {
          const all = [...list.values()].filter((viewing) => viewing.tokenId === token);
          assert.equal(viewings.of(token).length, all.length);
          for (const signedId of [undefined, 'x', 'y', 'z']) {
            const some = signedId === undefined ? all : all.filter(({ signed }) => signed?.id === signedId);
            assert.equal(viewings.count(token, { signedId }), some.length);
            for (const before of [0, 1, 3, 5]) {
              const earlier = some.filter(({ since }) => since < before);
              assert.equal(viewings.count(token, { signedId, before }), earlier.length);
            }
          }
        }
      }),
    );
  });

  it('tells of viewings that begin together once for each token, with its self-signed tokens', async () => {
    const viewings = new ClusterViewings();
    const told: ViewingsBegun[] = [];
    viewings.on('began', (begun) => told.push(begun));
    const begin = (id: number, fields?: Partial<SharedViewing>) =>
      viewings.message('a', { type: 'viewing', viewing: aViewing(id, fields) });
    begin(1);
    begin(2, { signed: { id: 'anna', maxSessions: 1 } });
    begin(3, { signed: { id: 'bert', maxSessions: 1 } });
    begin(4, { tokenId: 8 });
    await nextTurn();
    begin(5, { takesPlace: false });
    await nextTurn();
    assert.deepEqual(told, [
      { tokenId: TOKEN, takesPlace: true, signedIds: new Set(['anna', 'bert']) },
      { tokenId: 8, takesPlace: true, signedIds: new Set() },
      { tokenId: TOKEN, takesPlace: false, signedIds: new Set() },
    ]);
  });

  // A server is lost if its event loop stands still for five seconds.
  it('takes what another server has, of a token with thousands of viewers on both, in a moment', async () => {
    const elsewhere = new ClusterViewings();
    const sessions = new EventEmitter<{ opened: [EnforcedSession]; ended: [EnforcedSession] }>();
    const viewings = new TokenViewings<EnforcedSession>({ elsewhere, now: () => 1 });
    viewings.follow(sessions);
    let decided = 0;
    const enforcement = new Enforcement({
      sessions,
      tokens: Object.assign(new EventEmitter(), { findById: () => ({ expiresOn: null, maxSessions: 0 }) }),
      streams: new EventEmitter(),
      onViewingElsewhere: (listener) => void elsewhere.on('began', listener),
      viewings,
      admission: {
        recheck(grant) {
          decided += 1;
          const { ofSigned } = viewings.ahead({ id: TOKEN, signed: grant.signed }, grant);
          return ofSigned < 1 ? { allowed: true } : { allowed: false, reason: 'token_full' };
        },
      },
      now: () => 0,
      onFault: assert.fail,
    });
    for (let index = 0; index < VIEWERS; index += 1) {
      const grant = aGrant({ sessionId: `s${index}`, tokenId: TOKEN, signed: signedAs(`visitor ${index}`) });
      sessions.emit('opened', { grant, refuse: () => assert.fail('nobody is one too many') });
    }
    const began = process.cpuUsage();
    for (let id = 0; id < VIEWERS; id += 1) {
      const viewing = aViewing(id, { signed: { id: `other visitor ${id}`, maxSessions: 1 } });
      elsewhere.message('a', { type: 'viewing', viewing });
    }
    await nextTurn();
    const { user, system } = process.cpuUsage(began);
    enforcement.close();
    assert.equal(decided, 0);
    assert.ok(user + system < 1_000_000, `${user + system} µs of CPU`);
  });
});

describe('two servers with viewers of a token that displaces its oldest viewer', () => {
  let now = 0;
  let ended: string[] = [];
  const serverOf = () => {
    const elsewhere = new ClusterViewings();
    const sessions = new EventEmitter<
      Record<'opened' | 'connected' | 'leaving' | 'staying' | 'ended', [DisplacedSession]>
    >();
    const viewings = new TokenViewings<DisplacedSession>({ elsewhere, now: () => (now += 1) });
    viewings.follow(sessions);
    displaceOldest({
      sessions,
      tokens: Object.assign(new EventEmitter(), {
        findById: () => ({ maxSessions: 1, whenFull: 'displace' as const }),
      }),
      onViewingElsewhere: (listener) => void elsewhere.on('began', listener),
      viewings,
      onFault: assert.fail,
    });
    const open = (sessionId: string): DisplacedSession => {
      const session: DisplacedSession = {
        grant: aGrant({ sessionId, tokenId: TOKEN }),
        stop(code) {
          ended.push(`${sessionId}: ${code}`);
          sessions.emit('ended', session);
        },
      };
      sessions.emit('opened', session);
      return session;
    };
    return { elsewhere, sessions, viewings, open };
  };
  type Server = ReturnType<typeof serverOf>;
  /** Tells `to` of the viewings of `from`, as messages arrive. */
  const tell = (from: Server, to: Server) => {
    const shared = new SharedViewings(from.viewings, (message) => {
      to.elsewhere.message('the other', clusterMessage.parse(JSON.parse(JSON.stringify(message))));
    });
    shared.setOthers(true);
  };
  const two = () => {
    ended = [];
    const [a, b] = [serverOf(), serverOf()];
    tell(a, b);
    tell(b, a);
    return { a, b };
  };

  it('disconnect nobody for a viewer on the other one who has no media yet', async () => {
    const { a, b } = two();
    a.sessions.emit('connected', a.open('oldest'));
    const newer = b.open('newer');
    await nextTurn();
    assert.deepEqual(ended, []);
    b.sessions.emit('connected', newer);
    await nextTurn();
    assert.deepEqual(ended, ['oldest: displaced']);
  });

  it('keep the one who took the place of a viewer that was told to leave, and stays', async () => {
    const { a, b } = two();
    const leaving = a.open('leaving');
    a.sessions.emit('connected', leaving);
    a.sessions.emit('leaving', leaving);
    b.sessions.emit('connected', b.open('newer'));
    await nextTurn();
    a.sessions.emit('staying', leaving);
    await nextTurn();
    assert.deepEqual(ended, ['leaving: displaced']);
  });

  it('disconnect the oldest for one who came before they heard of each other', async () => {
    ended = [];
    const [a, b] = [serverOf(), serverOf()];
    a.sessions.emit('connected', a.open('oldest'));
    b.sessions.emit('connected', b.open('newer'));
    tell(b, a);
    await nextTurn();
    assert.deepEqual(ended, ['oldest: displaced']);
  });
});
