import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { namesOf, readStreamId, streamId, streamIdOf } from '../../src/wire/stream-id.js';
import { accountId as accountIdSchema, streamName as streamNameSchema } from '../../src/wire/text.js';

const accountIds = fc.stringMatching(/^[\w-]{1,64}$/);
const streamNames = fc
  .oneof(
    fc.string({ unit: 'grapheme', minLength: 1 }),
    fc.stringMatching(/^[a/ ]{1,12}$/),
    fc.constantFrom('/', '//', 'a/', '/a'),
  )
  .filter((name) => streamNameSchema.safeParse(name).success)
  // As requests are read.
  .map((name) => streamNameSchema.parse(name));

describe('the id of a stream', () => {
  it('has the names that it was made of, also after it was a text', () => {
    fc.assert(
      fc.property(accountIds, streamNames, (accountId, streamName) => {
        const id = streamIdOf(accountId, streamName);
        assert.deepEqual(namesOf(id), { accountId, streamName });
        assert.equal(readStreamId(String(id)), id);
        assert.equal(streamId.parse(String(id)), id);
      }),
    );
  });

  it('differs for two accounts or two names', () => {
    fc.assert(
      fc.property(accountIds, streamNames, accountIds, streamNames, (account, name, otherAccount, otherName) => {
        const isSame = account === otherAccount && name === otherName;
        assert.equal(streamIdOf(account, name) === streamIdOf(otherAccount, otherName), isSame);
      }),
    );
  });

  it('is made of no text that is not the id of an account', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('', '/', 'main/room', 'main/', '/main', 'é'),
    );
    fc.assert(
      fc.property(
        texts.filter((text) => !accountIdSchema.safeParse(text).success),
        streamNames,
        (text, streamName) => {
          assert.throws(() => streamIdOf(text, streamName), TypeError);
        },
      ),
    );
    assert.throws(() => streamIdOf('main', ''), TypeError);
  });

  it('is read of a text only as it was made', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.stringMatching(/^[a/-]{0,8}$/)), (text) => {
        const id = readStreamId(text);
        if (id === undefined) return;
        const { accountId, streamName } = namesOf(id);
        assert.equal(streamIdOf(accountId, streamName), text);
      }),
    );
  });

  it('comes from outside with a name that a stream can have', () => {
    assert.equal(streamId.safeParse(`main/${'x'.repeat(128)}`).success, true);
    for (const text of [`main/${'x'.repeat(129)}`, 'main/', '/main', 'main', 'main/a\0b', `main/\ud800`, 'mäin/a', ''])
      assert.equal(streamId.safeParse(text).success, false, JSON.stringify(text));
  });
});
