import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { LinkLoss } from '../../../../../server/media/embedded/consumer/link-loss.js';

const FIRST = 30_000;

describe('the loss of a viewer’s own link', () => {
  it('is what was sent and did not arrive, between two reports', () => {
    const link = new LinkLoss();
    for (let packet = 0; packet < 200; packet++) link.onSent(FIRST + packet);
    assert.equal(link.onReport(FIRST + 99, 25), 0.25);
    assert.equal(link.onReport(FIRST + 199, 25), 0);
  });

  it('is unknown if few packets were sent, or a report is old, impossible or repeated', () => {
    const link = new LinkLoss();
    assert.equal(link.onReport(FIRST, 0), undefined);
    for (let packet = 0; packet < 200; packet++) link.onSent(FIRST + packet);
    assert.equal(link.onReport(FIRST + 500, 0), undefined);
    assert.notEqual(link.onReport(FIRST + 99, 0), undefined);
    assert.equal(link.onReport(FIRST + 99, 50), undefined);
    assert.equal(link.onReport(FIRST + 50, 50), undefined);
    assert.equal(link.onReport(FIRST + 110, 0), undefined);
  });

  it('is unknown after a time without reports in which more was sent than is remembered', () => {
    const link = new LinkLoss();
    for (let packet = 0; packet < 2_000; packet++) link.onSent(FIRST + packet);
    assert.equal(link.onReport(FIRST + 1_999, 500), undefined);
  });

  it('does not contain what the server did not receive, whatever the network does', () => {
    const fate = fc.constantFrom('received', 'received', 'received', 'never sent', 'lost');
    fc.assert(
      fc.property(fc.array(fate, { minLength: 60, maxLength: 400 }), (fates) => {
        const link = new LinkLoss();
        const all = ['received', ...fates, 'received'];
        all.forEach((fate, packet) => fate === 'never sent' || link.onSent(FIRST + packet));
        const count = (wanted: string) => all.filter((fate) => fate === wanted).length;
        const sent = all.length - count('never sent');
        const loss = link.onReport(FIRST + all.length - 1, count('lost') + count('never sent'));
        if (sent < 20) assert.equal(loss, undefined);
        else assert.ok(Math.abs(loss! - count('lost') / sent) < 1e-9);
      }),
    );
  });
});
