import assert from 'node:assert/strict';
import { createSecretKey, randomBytes } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import * as z from 'zod/mini';
import { ValueSeal } from '../../../../server/store/keys/value-seal.js';
import { Columns } from '../../../../server/store/rows/columns.js';
import { RowFaults, type RowFault } from '../../../../server/store/rows/row-faults.js';
import { RowReader, UnreadableRowError } from '../../../../server/store/rows/row-reader.js';

interface Row {
  account_id: string;
  id: string;
  starts_on: number;
  ends_on: number | null;
}

const reader = new RowReader<Row, { id: string; startsOn: number; endsOn: number | null }>({
  table: 'scheduled_stream',
  key: ['id'],
  read: (row) => ({
    id: row.text('id'),
    startsOn: row.time('starts_on'),
    endsOn: row.tolerate(() => row.orNull('ends_on', row.time), null),
  }),
});

function database() {
  const faults = new RowFaults();
  const found: RowFault[] = [];
  faults.on('found', (all) => void found.push(...all));
  return { db: { getExecutor: () => ({ plugins: [faults] }) } as never, faults, found };
}

const aRow = (fields: object = {}): Row => ({ account_id: 'acme', id: 'a', starts_on: 1, ends_on: null, ...fields });
const fault = { table: 'scheduled_stream', row: 'a', account: 'acme' };

describe('a RowReader', () => {
  it('reads the rows that can be read, and reports each other one once until it can be read', () => {
    const { db, faults, found } = database();
    const bad = aRow({ starts_on: 'damaged' });
    const read = { id: 'b', startsOn: 1, endsOn: null };
    assert.deepEqual(reader.readAll(db, [bad, aRow({ id: 'b' })]), [read]);
    assert.equal(reader.find(db, bad), undefined);
    assert.throws(() => reader.read(db, bad), UnreadableRowError);
    const reported = { ...fault, column: 'starts_on', reason: 'is not a whole number' };
    assert.deepEqual(found, [reported]);
    assert.deepEqual([...faults.tables], [['scheduled_stream', 1]]);
    reader.read(db, aRow());
    assert.equal(faults.rows, 0);
    reader.find(db, bad);
    assert.deepEqual(found, [reported, reported]);
    reader.forget(db, bad);
    assert.deepEqual([faults.rows, faults.found], [0, 2]);
  });

  it('reports what it tolerates', () => {
    const { db, found } = database();
    assert.deepEqual(reader.read(db, aRow({ ends_on: 9e15 })), { id: 'a', startsOn: 1, endsOn: null });
    assert.deepEqual(found, [{ ...fault, column: 'ends_on', reason: 'is not a time' }]);
  });

  it('hides no fault of the program', () => {
    const broken = new RowReader<Row, never>({
      table: 'scheduled_stream',
      key: ['id'],
      read: () => {
        throw new TypeError('wrong');
      },
    });
    assert.throws(() => broken.readAll(database().db, [aRow()]), TypeError);
  });
});

describe('Columns', () => {
  const seal = new ValueSeal(createSecretKey(randomBytes(32)));
  const schema = z.object({ url: z.string() });

  it('read what was written', () => {
    const sealed = seal.seal('{"url":"u"}', 'context');
    const row = new Columns({ big: '9007199254740991', flag: 1, list: '["a"]', json: '{"url":"u"}', sealed });
    assert.deepEqual(
      [row.integer('big'), row.flag('flag'), row.list('list'), row.json('json', schema)],
      [Number.MAX_SAFE_INTEGER, true, ['a'], { url: 'u' }],
    );
    assert.deepEqual(row.sealedJson('sealed', { seal, context: 'context', schema }), { url: 'u' });
  });

  it('either read a value that is allowed or throw a ColumnFault that does not quote it', () => {
    const stored = fc.oneof(
      fc.string({ minLength: 3 }),
      fc.integer(),
      fc.double(),
      fc.bigInt(),
      fc.constant(null),
      fc.uint8Array(),
      fc.json(),
    );
    const readers: readonly ((row: Columns<{ x: unknown }>) => boolean)[] = [
      (row) => Number.isSafeInteger(row.integer('x')),
      (row) => row.count('x') >= 0,
      (row) => !Number.isNaN(new Date(row.time('x')).getTime()),
      (row) => typeof row.text('x') === 'string',
      (row) => typeof row.flag('x') === 'boolean',
      (row) => row.oneOf('x', ['on', 'off']).length > 0,
      (row) => row.list('x').every((entry) => typeof entry === 'string'),
      (row) => typeof row.json('x', schema).url === 'string',
      (row) => row.sealed('x', seal, '').length < 0,
    ];
    fc.assert(
      fc.property(stored, fc.constantFrom(...readers), (x, read) => {
        try {
          return read(new Columns<{ x: unknown }>({ x }));
        } catch (error) {
          assert.equal((error as Error).name, 'ColumnFault');
          return !(typeof x === 'string' && x.trim().length > 20 && (error as Error).message.includes(x));
        }
      }),
    );
  });
});
