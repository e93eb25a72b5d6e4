import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { InvalidRequestError } from '../../../../server/errors.js';
import { csvOf } from '../../../../server/http/csv.js';
import { parse } from '../../../../server/http/request/parse.js';
import { tokensOfTable } from '../../../../server/tokens/import/import-tokens.js';
import { createPublishToken, createSubscribeToken } from '../../../../src/wire/management/token.js';

const NOW = Date.parse('2026-11-20T12:00:00Z');

const OF_SUBSCRIBE = {
  kind: 'subscribe',
  parse: (body: unknown) => parse(createSubscribeToken, body),
  check: () => {},
  now: NOW,
} as const;
const OF_PUBLISH = {
  kind: 'publish',
  parse: (body: unknown) => parse(createPublishToken, body),
  check: () => {},
  now: NOW,
} as const;

const read = (csv: string) => tokensOfTable(csv, OF_SUBSCRIBE);
const fieldsOf = async (csv: string) => (await read(csv)).map(({ fields }) => fields);

/** What is wrong, by line. */
async function faultsOf(csv: string): Promise<{ code: string; errors: Readonly<Record<string, readonly string[]>> }> {
  try {
    await read(csv);
  } catch (error) {
    if (error instanceof InvalidRequestError) return { code: error.code, errors: error.errors };
    throw error;
  }
  return { code: 'none', errors: {} };
}

describe('a table of tokens', () => {
  it('describes one token for each row', async () => {
    const [first, second] = await read(
      'label,streams,expiresOn,isActive,maxSessions,whenFull\r\n' +
        'Anna,keynote,2026-11-20T13:00:00Z,true,2,displace\r\n' +
        'Bert,,,no,,\r\n',
    );
    assert.deepEqual(first?.fields.streams, [{ streamName: 'keynote', isRegex: false }]);
    assert.deepEqual(
      [first?.fields.label, first?.fields.expires, first?.fields.maxSessions, first?.isActive],
      ['Anna', 3_600, 2, true],
    );
    assert.deepEqual([second?.fields.label, second?.fields.streams, second?.isActive], ['Bert', [], false]);
  });

  for (const [what, csv] of [
    ['semicolons, as spreadsheets write in many countries', 'label;streams\nAnna;keynote\n'],
    ['tabs', 'label\tstreams\nAnna\tkeynote\n'],
    ['a byte order mark', '\ufefflabel,streams\nAnna,keynote\n'],
    ['empty lines, and no line break at the end', 'label,streams\n\nAnna,keynote'],
    ['columns that the server fills', 'id,label,addedOn,token,streams\n7,Anna,2020-01-01,secret,keynote\n'],
  ] as const) {
    it(`may have ${what}`, async () => {
      const [token, ...more] = await fieldsOf(csv);
      assert.deepEqual([token?.label, token?.streams[0]?.streamName, more.length], ['Anna', 'keynote', 0]);
    });
  }

  it('has lists as JSON, or one entry for each line or semicolon', async () => {
    const [json, lines, semicolons] = await fieldsOf(
      'label,streams\n' +
        'a,"[{""streamName"":""a;b"",""isRegex"":true},{""streamName"":""c""}]"\n' +
        'b,"x\ny"\n' +
        'c,x; y\n',
    );
    assert.deepEqual(json?.streams, [
      { streamName: 'a;b', isRegex: true },
      { streamName: 'c', isRegex: false },
    ]);
    for (const token of [lines, semicolons])
      assert.deepEqual(
        token?.streams.map(({ streamName }) => streamName),
        ['x', 'y'],
      );
  });

  it('has after how many days recordings of a token are deleted', async () => {
    const tokens = await tokensOfTable('label,recordingRetentionDays\na,30\nb,\n', OF_PUBLISH);
    assert.deepEqual(
      tokens.map(({ fields }) => fields.recordingRetentionDays),
      [30, undefined],
    );
  });

  it('has whether a token records, as true or false', async () => {
    const table = 'label,record\na,true\nb,no\nc,\n';
    const tokens = await tokensOfTable(table, OF_PUBLISH);
    assert.deepEqual(
      tokens.map(({ fields }) => fields.record),
      [true, false, undefined],
    );
  });

  it('does not take the addresses that a token has bound for its rule', async () => {
    const [token] = await fieldsOf('bindIpsOnUsage,allowedIpAddresses\n3,"[""192.0.2.1""]"\n');
    assert.deepEqual([token?.bindIpsOnUsage, token?.allowedIpAddresses], [3, undefined]);
  });

  it('takes the addresses that a token denies, also if it binds others', async () => {
    const [token] = await fieldsOf('bindIpsOnUsage,deniedIpAddresses\n3,192.0.2.66; 2001:db8::/64\n');
    assert.deepEqual(token?.deniedIpAddresses, ['192.0.2.66', '2001:db8::/64']);
  });

  it('is refused with what is wrong in each line, by the line of the file', async () => {
    assert.deepEqual(
      await faultsOf(
        'label,streams,expiresOn,maxSessions,isActive\n' +
          'a,"two\nlines",,1,\n' +
          `${'x'.repeat(129)},a,,1,\n` +
          'b,[oops,,1,\n' +
          'c,,2020-01-01T00:00:00Z,1,\n' +
          'd,,soon,1,\n' +
          'e,,,many,\n' +
          'f,,,1,maybe\n',
      ),
      {
        code: 'import_refused',
        errors: {
          'line 4': ['label: Too big: expected string to have <=128 characters'],
          'line 5': ['streams must be a JSON list, or one entry for each line or semicolon'],
          'line 6': ['expiresOn is in the past'],
          'line 7': ['expiresOn must be a time such as 2026-11-20T13:00:00Z'],
          'line 8': ['maxSessions must be a whole number'],
          'line 9': ['isActive must be true or false'],
        },
      },
    );
  });

  it('is refused with a rule that only the other kind of token has', async () => {
    assert.deepEqual((await faultsOf('label,subscribeRequiresAuth,record\na,true,yes\nb,,\n')).errors, {
      'line 2': ['subscribeRequiresAuth, record: only publish tokens have that, and this makes subscribe tokens'],
    });
    await assert.rejects(tokensOfTable('label,maxSessions\na,1\n', OF_PUBLISH), {
      errors: { 'line 2': ['maxSessions: only subscribe tokens have that, and this makes publish tokens'] },
    });
  });

  for (const [what, csv, message] of [
    ['nothing in it', '', /the file is empty/],
    ['no row below the names', 'label,streams\n', /no row below/],
    ['a column that is not known', 'label,stream\na,b\n', /unknown columns: stream; known are: label, streams,/],
    ['a column twice', 'label,label\na,b\n', /the column label is there twice/],
    ['only columns that the server fills', 'id,token\n1,x\n', /no column describes a token/],
    ['more cells than columns', 'label\na,b\n', /has 2 cells, and the first row names 1 columns/],
    ['an open quote', 'label\n"a\n', /this is not CSV/],
    ['an image in it', '\x89PNG\r\n\x1a\n\0\0', /unknown columns|not CSV/],
    ['65 cells in a row', `label;streams\na;b\n"\n;"${';'.repeat(64)}\n`, /has more than 64 cells/],
    ['1,001 tokens', `label\n${'a\n'.repeat(1_001)}`, /has more than 1000 tokens/],
  ] as const) {
    it(`cannot be read with ${what}`, async () => {
      const { code, errors } = await faultsOf(csv);
      assert.equal(code, 'csv_unreadable');
      assert.match(Object.values(errors).join(), message);
    });
  }

  it('takes empty lines between rows, and not very many', async () => {
    const withEmpty = (count: number) => `label\na\n${'\n'.repeat(count)}b\n`;
    assert.equal((await fieldsOf(withEmpty(9_000))).length, 2);
    for (const csv of [withEmpty(10_001), '\r'.repeat(10_001)])
      assert.equal((await faultsOf(csv)).code, 'csv_unreadable');
  });

  it('leaves others their turn while its lines are checked', async () => {
    let turns = 0;
    let isDone = false;
    const other = () => {
      turns += 1;
      if (!isDone) setImmediate(other);
    };
    setImmediate(other);
    await tokensOfTable(`label\n${'a\n'.repeat(20)}`, {
      ...OF_SUBSCRIBE,
      parse: (body) => body,
      check: () => {
        for (const end = performance.now() + 6; performance.now() < end;);
      },
    });
    isDone = true;
    assert.ok(turns >= 15, `${turns} turns`);
  });

  it('says at most of 100 lines what is wrong', async () => {
    const { errors } = await faultsOf(`maxSessions\n${'x\n'.repeat(500)}`);
    assert.equal(Object.keys(errors).length, 100);
  });

  it('is read as it was exported: the same labels, streams and limits', async () => {
    const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 }).filter((name) => name.trim() === name);
    const token = fc.record(
      {
        label: fc.oneof(
          text,
          text.map((name) => `=${name}`),
          text.map((name) => `'${name}`),
          text.map((name) => `''-${name}`),
        ),
        streams: fc.array(fc.record({ streamName: text, isRegex: fc.boolean() }, { noNullPrototype: true }), {
          maxLength: 3,
        }),
        maxSessions: fc.integer({ min: 0, max: 9 }),
        isActive: fc.boolean(),
      },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(token, { minLength: 1, maxLength: 5 }), async (tokens) => {
        const columns = ['id', 'label', 'isActive', 'streams', 'maxSessions'];
        const lines = await tokensOfTable(csvOf(columns, tokens), {
          ...OF_SUBSCRIBE,
          parse: (body) => body as ReturnType<typeof createSubscribeToken.parse>,
        });
        const found = lines.map(({ fields: { label, streams, maxSessions }, isActive }) => ({
          label,
          streams: streams ?? [],
          maxSessions,
          isActive,
        }));
        assert.deepEqual(found, tokens);
      }),
    );
  });

  it('is read or refused, and never fails otherwise, whatever the file has', async () => {
    const cell = fc.oneof(fc.string(), fc.constantFrom('"', ',', ';', '\n', '[', '[]', '=1', 'true', '1'));
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(cell, { maxLength: 4 }), { maxLength: 6 }), async (rows) => {
        await faultsOf(['label,streams,maxSessions,isActive', ...rows.map((row) => row.join(','))].join('\n'));
      }),
    );
  });
});
