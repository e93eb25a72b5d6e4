import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { entityTagOf, IF_MATCH, matchesEntityTag } from '../../../../server/http/request/entity-tag.js';

describe('the entity tag of a record', () => {
  const revision = fc.integer({ min: 1, max: 20 });
  const tag = fc.tuple(fc.boolean(), revision).map(([isWeak, one]) => (isWeak ? `W/"${one}"` : `"${one}"`));

  it('is named by If-Match if the list has it, strong or weak, and by no other list', () => {
    fc.assert(
      fc.property(
        revision,
        fc.array(tag, { minLength: 1 }),
        fc.constantFrom(',', ', ', ' ,\t'),
        (present, tags, comma) => {
          const ifMatch = tags.join(comma);
          assert.match(ifMatch, IF_MATCH);
          const isNamed = tags.some((one) => one.endsWith(entityTagOf({ revision: present })));
          assert.equal(matchesEntityTag({ revision: present }, ifMatch), isNamed);
        },
      ),
    );
  });

  it('is named by * and by a request without If-Match', () => {
    for (const ifMatch of ['*', undefined]) assert.equal(matchesEntityTag({ revision: 7 }, ifMatch), true);
  });

  it('is not read from anything that is no list of tags', () => {
    for (const text of ['', '7', '"7', '"7""8"', '"7",', '*, "7"', 'w/"7"', '"7" "8"', '"7\n"']) {
      assert.doesNotMatch(text, IF_MATCH, text);
    }
  });
});
