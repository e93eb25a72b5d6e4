import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { it } from 'node:test';
import { costTable } from './cost-table.js';

/** What reads text or bytes, by its name. */
const PARSER =
  /^export (?:(?:async )?function\*? |const |class )((?:read|parse|decode|unpack|unwrap)[A-Z]\w*|\w+(?:Reader|Parser|Assembler|Handshake|Fragment))\b/gm;

/** Parsers that are not in the table, with the reason. */
const ELSEWHERE: Readonly<Record<string, readonly string[]>> = {
  'its cost is tested beside the endpoints: endpoints.test.ts': [
    'server/http/request/json-body.ts readPlainJsonBody',
    'server/http/request/parse.ts parseBody',
    'server/http/request/parse.ts parseHeaders',
    'server/http/request/text-body.ts parseTextBody',
    'server/accounts/passkeys/passkey-answer.ts readClientData',
    'server/signalling/command-data.ts parseCommandData',
    'server/signalling/frame.ts parseFrame',
  ],
  'its cost is tested by that of what calls it: token-rows.ts, header-rows.ts': [
    'server/http/management/session-cookie.ts readSessionCookie',
    'server/tokens/credential-reader.ts CredentialReader',
    'server/tokens/self-signed-token.ts readSelfSigned',
  ],
  'it reads what the operator or this server wrote': [
    'server/cli/command-line.ts parseCommandLine',
    'server/config/config.ts readConfig',
    'server/tls/certificate.ts readCertificate',
    'server/http/stills/still-reader.ts readStill',
    'server/recording/matroska/cluster.ts readCluster',
    'server/recording/matroska/ebml.ts readHeader',
    'server/recording/matroska/ebml.ts readUint',
    'server/recording/matroska/header.ts readTracks',
    'server/recording/matroska/part-reader.ts PartReader',
    'server/recording/packager/mp4-index.ts readMp4Index',
    'server/recording/packager/mp4-reader.ts Mp4Reader',
    'server/recording/packager/read-part.ts readPart',
    'server/recording/recorder/part-assembler.ts PartAssembler',
    'server/recording/recording-reader.ts RecordingReader',
    'server/recording/storage/part-tail.ts unpackTail',
    'server/recording/storage/s3-storage.ts readPiece',
    'server/rtmp/flv-stream.ts FlvReader',
  ],
  'it is a step of other parsers, which are in the table': [
    'server/bit-reader.ts BitReader',
    'server/media/sdp/lines.ts readLines',
  ],
};

function parsersOf(path: string): readonly string[] {
  return [...readFileSync(path, 'utf8').matchAll(PARSER)].map(([, name]) => `${path} ${name}`);
}

/** `a.ts readA, readB` names two. */
function namesIn(parsers: string): readonly string[] {
  const [path, ...names] = parsers.split(/,? /);
  return names.map((name) => `${path} ${name}`);
}

it('every parser has a test of what it costs, or a reason to have none', () => {
  // The store reads rows that this server wrote.
  const exclude = ['server/dist/**', 'server/node_modules/**', 'server/store/**'];
  const files = globSync('server/**/*.ts', { exclude });
  const known = new Set([
    ...costTable.flatMap(({ parsers }) => parsers.flatMap(namesIn)),
    ...Object.values(ELSEWHERE).flat(),
  ]);
  const found = new Set(files.flatMap(parsersOf));
  assert.deepEqual(
    [...found].filter((parser) => !known.has(parser)),
    [],
    'add these to the table of costs (cost-table.ts), with hostile inputs of the size that can reach them',
  );
  assert.deepEqual(
    Object.values(ELSEWHERE)
      .flat()
      .filter((parser) => !found.has(parser)),
    [],
    'these are no longer there',
  );
});
