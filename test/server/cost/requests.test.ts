import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { MB, mustAllBeCheap, repeatedText, type NamedInput } from '../../support/cost.js';
import { Cleanup } from '../../support/cleanup.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

/** Node refuses more of headers and URL together with 431; some remains for the other headers. */
const MAX_VALUE = 15 * 1024;
/** Two ends of a connection with their buffers, and what Express has of a request, as each parameter of its query. */
const MEMORY_OF_A_REQUEST = MB;
/** With the client of the test, and what a request costs anyway. */
const MAX_MS = 20;

const HEADERS: Readonly<Record<string, readonly string[]>> = {
  accept: ['a/b,', '*/*;q=0.1,', ',', ';', 'a/b;c="', ' '],
  'accept-encoding': ['gzip,', 'gzip;q=0.1,', 'a,', ',', ';q=', '*;q=0,'],
  'accept-language': ['de,', 'de;q=0.1,', ','],
  'access-control-request-headers': ['a,', ',', ' '],
  authorization: ['a', 'Bearer ', ' a'],
  'content-encoding': ['gzip,', 'a'],
  'content-type': ['a', ';', 'application/json;', ' a=b;', '"', 'a="\\"";'],
  cookie: ['a=b;', 'streamgate_session=a;', ';', '=', 'a=%41;', ' '],
  forwarded: ['for=10.0.0.1,', 'a=b;', '"'],
  'if-match': ['"a",', 'W/"a",', ','],
  'if-modified-since': ['1', ' ', 'Mon,'],
  'if-none-match': ['"a",', 'W/"a",', ',', ' ', '*,'],
  'if-range': ['"a"', 'a'],
  'idempotency-key': ['a', ' '],
  origin: ['a', 'a.', 'https://', ','],
  range: ['bytes=0-0,', '0-0,', ',', '-1,', '9'],
  referer: ['a', 'https://a/'],
  'sec-fetch-site': ['a'],
  traceparent: ['0', '-', '00-'],
  'user-agent': ['android ', 'a', '(', 'Mozilla/5.0 '],
  'x-forwarded-for': ['10.0.0.1,', ',', 'a'],
  'x-forwarded-host': ['a.', ','],
  'x-forwarded-proto': ['https,', ','],
  'x-request-id': ['a', '-'],
  'x-unknown': ['a', ' '],
};

const LINES = {
  'a page': 'GET /viewer?streamId=main/main',
  'a file': 'GET /api/openapi.json',
  'an announcement': 'GET /api/announced/kX3v9sQp0ZbT7mWcY1aRdg',
  'a picture': 'GET /api/still/main/main',
  'going back': 'GET /api/hls/main/main',
  'the management': 'GET /api/publish_token/list?page=1&itemsOnPage=10',
  'a viewer': 'POST /api/director/subscribe',
  'a question of a browser': 'OPTIONS /api/director/subscribe',
  WHEP: 'POST /api/whep/main/main',
} as const;

describe('a whole request costs little, whatever stands in', () => {
  const cleanup = new Cleanup();
  let server: TestServer;
  before(async () => {
    server = await streamServer(cleanup, { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'https://live.example.com' });
  });
  after(() => cleanup.run());

  const body = '{"streamAccountId":"main","streamName":"main"}';
  const requestOf = (line: string, path = ''): string => {
    const sent = line.startsWith('POST') ? `content-length: ${body.length}\r\n` : '';
    return `${line}${path} HTTP/1.1\r\nhost: live.example.com\r\nconnection: close\r\n${sent}`;
  };
  const send = (head: string): Promise<Error | number> =>
    new Promise((resolve) => {
      let bytes = 0;
      const socket = connect(server.port, '127.0.0.1', () => socket.write(`${head}\r\n${body}`));
      socket.on('data', (chunk) => (bytes += chunk.length));
      socket.on('error', resolve);
      socket.on('close', () => resolve(bytes));
    });
  const mustBeCheap = (name: string, inputs: readonly NamedInput<string>[], headOf: (text: string) => string) =>
    mustAllBeCheap(
      {
        name,
        parsers: ['server/composition/app.ts createApp'],
        limit: MAX_VALUE,
        read: (text: string) => send(headOf(text)),
        maxMs: MAX_MS,
        fixedMemory: MEMORY_OF_A_REQUEST,
      },
      inputs,
    );

  for (const [header, elements] of Object.entries(HEADERS)) {
    it(`the header ${header}`, async () => {
      for (const [place, [what, line]] of Object.entries(LINES).entries()) {
        // Each kind of request sees each header, and each element some kinds.
        const some = elements.filter((_, index) => elements.length < 3 || (index + place) % 3 === 0);
        const inputs = some.map((element) => ({ name: element, grow: repeatedText(element) }));
        await mustBeCheap(`${header} for ${what}`, inputs, (value) => `${requestOf(line)}${header}: ${value}\r\n`);
      }
    });
  }

  it('the number of headers', () =>
    mustBeCheap(
      'headers',
      [{ name: 'lines', grow: repeatedText((index) => `a${index}: b\r\n`) }],
      (lines) => requestOf(LINES['a page']) + lines,
    ));

  it('the path and the query', async () => {
    const elements = [
      'a',
      '/',
      '%2F',
      '%41',
      '%',
      '../',
      './',
      '//',
      '?',
      '&',
      'a=b&',
      'a[]=b&',
      '[',
      '.',
      '-',
      ';',
      ':',
    ];
    for (const [what, line] of Object.entries(LINES)) {
      const inputs = elements.map((element) => ({ name: element, grow: repeatedText(element) }));
      await mustBeCheap(`after the path of ${what}`, inputs, (text) => requestOf(line, text));
    }
  });
});
