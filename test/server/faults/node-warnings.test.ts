import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { describe, it } from 'node:test';
import { pino } from 'pino';
import { logNodeWarnings } from '../../../server/faults/node-warnings.js';

describe('a warning of Node', () => {
  it('is one line of the log, and not text for people besides', () => {
    const from = new EventEmitter();
    let printed = 0;
    from.on('warning', () => (printed += 1));
    let written = '';
    const log = pino({ base: null }, { write: (line) => (written += line) });
    logNodeWarnings((err) => log.warn({ err, warning: err.name }, 'Node warns'), from);
    from.emit('warning', Object.assign(new Error('sslmode is deprecated'), { name: 'DeprecationWarning' }));
    const { level, err, warning } = JSON.parse(written);
    assert.deepEqual([printed, level, warning, err.message], [0, 40, 'DeprecationWarning', 'sslmode is deprecated']);
  });
});
