import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerCandidates } from '../../../../server/media/embedded/candidates.js';

const GATHERED = ['candidate:1 1 UDP 2114977791 198.51.100.7 40000 typ host'];
const EVERYWHERE = { bindAddress: undefined, udpPort: 40_000 };

describe('the candidates of an answer', () => {
  it('are those gathered, and loopback when every interface is listened on', () => {
    const [gathered, loopback, ...rest] = answerCandidates(GATHERED, [], EVERYWHERE);
    assert.equal(gathered, GATHERED[0]);
    assert.match(loopback!, /^candidate:\S+ 1 UDP \d+ 127\.0\.0\.1 40000 typ host$/);
    assert.deepEqual(rest, []);
    const priority = (candidate: string) => Number(candidate.split(' ')[3]);
    assert.ok(priority(loopback!) < priority(gathered!), 'loopback is the last resort');
  });

  it('are those gathered alone on one address', () => {
    assert.deepEqual(answerCandidates(GATHERED, [], { ...EVERYWHERE, bindAddress: '198.51.100.7' }), GATHERED);
  });

  it('are those announced and no others, the first preferred', () => {
    const candidates = answerCandidates(GATHERED, ['203.0.113.5', '2001:db8::5'], EVERYWHERE);
    assert.deepEqual(
      candidates.map((candidate) => candidate.split(' ')[4]),
      ['203.0.113.5', '2001:db8::5'],
    );
    const [first, second] = candidates.map((candidate) => Number(candidate.split(' ')[3]));
    assert.ok(first! > second!);
  });
});
