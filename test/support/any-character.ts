import fc from 'fast-check';

const SURROGATES = { first: 0xd800, count: 0x800 };

/**
 * Every character that text can have, for `fc.string({ unit: anyCharacter })`. The unit `binary` of fast-check is the same,
 * and makes a table of all million in each process, for seconds.
 */
export const anyCharacter: fc.Arbitrary<string> = fc
  .nat(0x10ffff - SURROGATES.count)
  .map((index) => String.fromCodePoint(index < SURROGATES.first ? index : index + SURROGATES.count));
