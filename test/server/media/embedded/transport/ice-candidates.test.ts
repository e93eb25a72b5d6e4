import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { answerCandidates } from '../../../../../server/media/embedded/transport/ice-candidates.js';

const GATHERED = ['candidate:1 1 UDP 2114977791 198.51.100.7 40000 typ host'];
const EVERYWHERE = { bindAddress: undefined, udpPort: 40_000 };

describe('the candidates of an answer', () => {
  it('are those gathered, and loopback of every family if all interfaces are used', () => {
    const candidates = answerCandidates(GATHERED, [], EVERYWHERE, ['127.0.0.1', '::1']);
    assert.equal(candidates[0], GATHERED[0]);
    assert.deepEqual(
      candidates.slice(1).map((candidate) => /^candidate:\S+ 1 UDP \d+ (\S+) 40000 typ host$/.exec(candidate)?.[1]),
      ['127.0.0.1', '::1'],
    );
    const [gathered, ...loopback] = candidates.map((candidate) => Number(candidate.split(' ')[3]));
    assert.ok(
      loopback.every((priority) => priority < gathered!),
      'loopback is the last resort',
    );
    assert.equal(new Set(loopback).size, 2, 'no two have the same priority');
  });

  it('contain no loopback address of a family that the machine does not have', () => {
    assert.deepEqual(answerCandidates(GATHERED, [], EVERYWHERE, []), GATHERED);
  });

  it('are only those gathered if one address is used', () => {
    assert.deepEqual(
      answerCandidates(GATHERED, [], { ...EVERYWHERE, bindAddress: '198.51.100.7' }, ['127.0.0.1']),
      GATHERED,
    );
  });

  it('are only those announced, the first preferred', () => {
    const candidates = answerCandidates(GATHERED, ['203.0.113.5', '2001:db8::5'], EVERYWHERE, []);
    assert.deepEqual(
      candidates.map((candidate) => candidate.split(' ')[4]),
      ['203.0.113.5', '2001:db8::5'],
    );
    const [first, second] = candidates.map((candidate) => Number(candidate.split(' ')[3]));
    assert.ok(first! > second!);
  });

  describe('with a TCP port', () => {
    const ports = { ...EVERYWHERE, tcpPort: 443 };
    const overTcp = (candidates: readonly string[]) => candidates.filter((candidate) => candidate.includes(' TCP '));
    const priorityOf = (candidate: string) => Number(candidate.split(' ')[3]);

    it('contain each address once more as passive TCP, except loopback', () => {
      const candidates = answerCandidates(GATHERED, [], ports, ['127.0.0.1', '::1']);
      assert.equal(candidates.length, 4);
      const [candidate, ...others] = overTcp(candidates);
      assert.match(candidate!, /^candidate:\S+ 1 TCP \d+ 198\.51\.100\.7 443 typ host tcptype passive$/);
      assert.deepEqual(others, []);
    });

    it('contain the announced addresses of both families', () => {
      const candidates = overTcp(answerCandidates(GATHERED, ['203.0.113.5', '2001:db8::5'], ports, []));
      assert.deepEqual(
        candidates.map((candidate) => candidate.split(' ')[4]),
        ['203.0.113.5', '2001:db8::5'],
      );
    });

    it('prefer every UDP candidate', () => {
      const candidates = answerCandidates(GATHERED, [], ports, ['127.0.0.1', '::1']);
      const tcp = overTcp(candidates).map(priorityOf);
      const udp = candidates.filter((candidate) => candidate.includes(' UDP ')).map(priorityOf);
      assert.ok(Math.max(...tcp) < Math.min(...udp));
      assert.ok(Math.min(...tcp) > 0);
    });
  });
});
