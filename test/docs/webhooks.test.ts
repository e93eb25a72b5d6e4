import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { callFault } from '../../src/wire/management/webhook.js';
import { TEST_EVENT, webhookEvent, webhookEventType } from '../../src/wire/webhook-event.js';

const page = readFileSync(join(import.meta.dirname, '../../docs/webhooks.md'), 'utf8');

/** The example below the heading of an event. */
function exampleOf(type: string): unknown {
  const section = page.split(`### \`${type}\`\n`)[1]?.split('\n### ')[0];
  const json = /```json\n([^]*?)\n```/.exec(section ?? '')?.[1];
  return json === undefined ? undefined : JSON.parse(json);
}

describe('docs/webhooks.md', () => {
  for (const type of [...webhookEventType.options, TEST_EVENT]) {
    it(`has an example of ${type} that its schema accepts`, () => {
      const example = exampleOf(type);
      assert.ok(example, `there is no example below a heading \`${type}\``);
      assert.equal(webhookEvent.parse(example).type, type);
    });
  }

  it('describes no event that is never sent', () => {
    const headings = [...page.matchAll(/^### `([\w.]+)`$/gm)].map(([, type]) => type);
    assert.deepEqual(headings, [...webhookEventType.options, TEST_EVENT]);
  });

  it('names every fault of a call', () => {
    for (const fault of callFault.options) assert.ok(page.includes(`\`${fault}\``), fault);
  });
});
