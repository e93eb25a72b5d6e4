import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { readPage } from '../../../src/pages/dashboard/page-buttons.js';
import { commonSearch, oneOf, pageNumber, searchOf } from '../../../src/pages/dashboard/page-query.js';
import { recordingFilterOf, recordingQueryOf } from '../../../src/pages/dashboard/recordings/recording-filters.js';
import { refusalFilterOf, refusalQueryOf } from '../../../src/pages/dashboard/refusals/refusal-query.js';
import { tokenKinds } from '../../../src/pages/dashboard/tokens/token-kind.js';
import { tokenFilterOf, tokenQueryOf } from '../../../src/pages/dashboard/tokens/token-query.js';
import { tokenSorts, tokenStates } from '../../../src/pages/dashboard/tokens/tokens-state.js';
import { ruleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { recordingStates } from '../../../src/wire/management/recording.js';

const queryOf = (search: string) => new URLSearchParams(search);
const typed = fc.string({ unit: 'binary', maxLength: 40 }).filter((text) => text.isWellFormed());
const page = fc.integer({ min: 1, max: 99_999 });

describe('the address of a page of the dashboard', () => {
  it('names what differs from the first view, and keeps the language', () => {
    assert.equal(searchOf('?lang=ar&search=old&page=9', {}), '?lang=ar');
    assert.equal(searchOf('', { search: '', state: undefined, page: 1 }), '');
    assert.equal(searchOf('?lang=ar', { state: 'expired', page: 2 }), '?lang=ar&state=expired&page=2');
  });

  it('gives nothing but the language to other pages', () => {
    assert.equal(commonSearch('?lang=de&search=x&page=2'), '?lang=de');
    assert.equal(commonSearch('?search=x'), '');
  });

  it('names the first page where it names no page of a list', () => {
    const texts = ['', 'page=', 'page=0', 'page=-1', 'page=1.5', 'page=x', `page=${'9'.repeat(30)}`];
    assert.deepEqual(
      texts.map((text) => pageNumber(queryOf(text))),
      texts.map(() => 1),
    );
    assert.equal(pageNumber(queryOf('past=7'), 'past'), 7);
  });

  it('names no value that there is not', () => {
    assert.equal(oneOf(queryOf('state=expired'), 'state', tokenStates), 'expired');
    assert.equal(oneOf(queryOf('state=constructor'), 'state', tokenStates), undefined);
  });

  it('gives back the tokens that it was made of', () =>
    fc.assert(
      fc.property(
        fc.record(
          {
            kind: fc.constantFrom(...tokenKinds),
            search: typed,
            state: fc.constantFrom(undefined, ...tokenStates),
            sort: fc.constantFrom(...tokenSorts),
          },
          { noNullPrototype: true },
        ),
        page,
        (filter, number) => {
          const query = queryOf(searchOf('?lang=ja', tokenQueryOf(filter, number)));
          assert.deepEqual([tokenFilterOf(query), pageNumber(query)], [filter, number]);
        },
      ),
    ));

  it('gives back the refusals that it was made of', () =>
    fc.assert(
      fc.property(
        fc.record(
          {
            reason: fc.constantFrom('' as const, ...ruleRefusalCode.options),
            streamName: typed,
            tokenId: fc.option(page, { nil: undefined }),
          },
          { noNullPrototype: true },
        ),
        page,
        (filter, number) => {
          const query = queryOf(searchOf('', refusalQueryOf(filter, number)));
          assert.deepEqual([refusalFilterOf(query), pageNumber(query)], [filter, number]);
        },
      ),
    ));

  it('gives back the recordings that it was made of', () =>
    fc.assert(
      fc.property(
        fc.record(
          { streamName: typed, state: fc.constantFrom(undefined, ...recordingStates) },
          { noNullPrototype: true },
        ),
        page,
        (filter, number) => {
          const query = queryOf(searchOf('', recordingQueryOf(filter, number)));
          assert.deepEqual([recordingFilterOf(query), pageNumber(query)], [filter, number]);
        },
      ),
    ));
});

describe('a page of a list', () => {
  const list = (total: number) => {
    const asked: number[] = [];
    const read = async (number: number) => {
      asked.push(number);
      return { total, number };
    };
    return { asked, read };
  };

  it('is the one that is wanted', async () => {
    const { asked, read } = list(41);
    assert.deepEqual(await readPage(3, 20, read), { total: 41, number: 3, page: 3, pages: 3 });
    assert.deepEqual(asked, [3]);
  });

  it('is the last one if there are fewer now, and the only one of an empty list', async () => {
    assert.deepEqual(await readPage(9, 20, list(40).read), { total: 40, number: 2, page: 2, pages: 2 });
    assert.deepEqual(await readPage(9, 20, list(0).read), { total: 0, number: 1, page: 1, pages: 1 });
  });
});
