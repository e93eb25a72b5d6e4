import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { shouldReconnect } from '../../../src/client/connection/reconnect-policy.js';
import { endedError } from '../../../src/client/connection/signalling.js';
import { broadcasterMessages, viewerMessages } from '../../../src/elements/i18n/en.js';
import { en as rewindMessages } from '../../../src/elements/i18n/rewind/messages/en.js';
import { ruleRefusalCode } from '../../../src/wire/director/refusal-code.js';
import { stopCode } from '../../../src/wire/websocket/stop-code.js';

const INDEX = readFileSync(join(import.meta.dirname, '../../../docs/errors/README.md'), 'utf8');
/** `| [token_missing](token_missing.md) | 401 | viewers and publishers |` */
const ROWS = [...INDEX.matchAll(/^\| \[(\w+)\]\(\w+\.md\) +\|[^|]*\|([^|]*)\|$/gm)].map(
  ([, code, seenBy]) => [code!, seenBy!] as const,
);

/** Why a tag has no message for a code that its visitors could see. */
const WITHOUT: Readonly<Record<string, string>> = {
  rejected: 'the reason of such an error is shown',
  refused: 'another server refused, and only its own sentence says why',
  upstream_refused: 'the sentence of the server says what is wrong with the upstream',
  engine_unsupported: 'the sentence of the server says what its media engine cannot do',
  answer_required: 'the tag can answer an offer of the server',
  rewind_unavailable: 'the tag shows no timeline then',
  bundle_required: 'the offers of the tags bundle all',
  too_many_tracks: 'the tags send one track of each kind',
};

/** Whether the client connects again for as long as it takes, so that no visitor is left with the refusal. */
const isRetried = (code: string): boolean => shouldReconnect(endedError(code), Infinity, false);

const seenBy = (people: RegExp): string[] =>
  ROWS.filter(([code, seen]) => people.test(seen) && !isRetried(code) && !Object.hasOwn(WITHOUT, code)).map(
    ([code]) => code,
  );

const tags = [
  ['stream-viewer', /\bviewers\b/, { ...viewerMessages, ...rewindMessages }],
  ['stream-broadcaster', /\b(publishers|broadcasters)\b/, broadcasterMessages],
] as const;

for (const [tag, people, messages] of tags) {
  describe(`<${tag}>`, () => {
    it('has a title and a detail for every code that ends what its visitors do', () => {
      const missing = seenBy(people).filter((code) => !Array.isArray(Reflect.get(messages, code)));
      assert.deepEqual(missing, []);
    });
  });
}

describe('the codes with which the server refuses or ends a session', () => {
  /** Clients of the websocket alone can see it: the tags send a command at once. */
  const NOT_IN_TAGS: readonly string[] = ['idle'];

  it('are each for viewers or for publishers, in the index of docs/errors', () => {
    const shown = new Set(tags.flatMap(([, people]) => seenBy(people)));
    const codes: readonly string[] = [...ruleRefusalCode.options, ...stopCode.options];
    assert.deepEqual(
      codes.filter((code) => !shown.has(code) && !isRetried(code)),
      NOT_IN_TAGS,
    );
  });

  it('are without a message only where the index still has them', () => {
    const known = new Set(ROWS.map(([code]) => code));
    assert.deepEqual(
      Object.keys(WITHOUT).filter((code) => !known.has(code)),
      [],
    );
  });
});
