import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import { SealBrokenError, ValueSeal } from '../../../../server/store/keys/value-seal.js';

const newSeal = () => new ValueSeal(createSecretKey(randomBytes(32)));

describe('ValueSeal', () => {
  it('opens its own sealed values', () => {
    const seal = newSeal();
    assert.equal(seal.open(seal.seal('a value', 'place'), 'place'), 'a value');
  });

  it('reveals nothing of the value, and never returns the same text twice', () => {
    const seal = newSeal();
    const sealed = [seal.seal('a value', 'place'), seal.seal('a value', 'place')];
    assert.notEqual(sealed[0], sealed[1]);
    for (const text of sealed) assert.ok(!Buffer.from(text, 'base64').includes('value'));
  });

  it('does not open a value with another key, with another context, or after a change', () => {
    const seal = newSeal();
    const sealed = seal.seal('a value', 'place');
    const bytes = Buffer.from(sealed, 'base64');
    bytes[bytes.length - 1]! ^= 1;
    assert.throws(() => newSeal().open(sealed, 'place'), SealBrokenError);
    assert.throws(() => seal.open(sealed, 'elsewhere'), SealBrokenError);
    assert.throws(() => seal.open(bytes.toString('base64'), 'place'), SealBrokenError);
    assert.throws(() => seal.open('', 'place'), SealBrokenError);
  });
});
