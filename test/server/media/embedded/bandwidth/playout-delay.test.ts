import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { PlayoutDelayEstimator } from '../../../../../server/media/embedded/bandwidth/playout-delay.js';

describe('how long a player holds pictures back', () => {
  let hold: PlayoutDelayEstimator;
  const late = (ms: number, from: number, times = 3) => {
    for (let time = 0; time < times; time++) hold.onLatePacket(ms, from + time);
  };

  beforeEach(() => {
    hold = new PlayoutDelayEstimator();
  });

  it('is not at all while nothing is lost, or hardly anything', () => {
    assert.equal(hold.at(0), 0);
    late(200, 0, 2);
    assert.equal(hold.at(10), 0);
  });

  it('is as long as what is sent again takes, and a little more', () => {
    late(200, 0);
    assert.equal(hold.at(10), 240);
    hold.onLatePacket(310, 20);
    assert.equal(hold.at(30), 350);
  });

  it('is not at all where that comes soon anyway, and never for longer than a second', () => {
    late(30, 0);
    assert.equal(hold.at(10), 0);
    late(5_000, 20);
    assert.equal(hold.at(30), 1_000);
  });

  it('lasts from one window to the next, and no longer than what made it so', () => {
    late(200, 0);
    for (let now = 1_000; now < 60_000; now += 1_000) assert.equal(hold.at(now), 240);
    assert.equal(hold.at(60_000), 0);
  });

  it('becomes shorter with the way', () => {
    late(400, 0);
    late(100, 31_000);
    late(100, 62_000);
    assert.equal(hold.at(62_010), 140);
  });

  it('is forgotten over a long silence', () => {
    late(200, 0);
    assert.equal(hold.at(3_600_000), 0);
  });
});
