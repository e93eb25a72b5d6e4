import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Cleanup } from '../support/cleanup.js';
import { readText } from '../support/deploy.js';

const ROOT = join(import.meta.dirname, '../..');
const FILE = 'deploy/docker/Dockerfile';
const HEALTH_CHECK = 'deploy/docker/health-check.mjs';

/** The instructions of each stage, as `NAME arguments` on one line. */
const stages = readText(FILE)
  .replaceAll(/^#.*\n/gm, '')
  .replaceAll('\\\n', ' ')
  .split(/^(?=FROM )/m)
  .map((stage) => stage.split('\n').filter((line) => line.trim() !== ''))
  .filter(([first]) => first?.startsWith('FROM '));
const last = stages.at(-1)!;
const find = (name: string): string[] =>
  last.filter((line) => line.startsWith(`${name} `)).map((line) => line.slice(name.length + 1));

const cleanup = new Cleanup();
afterEach(() => cleanup.run());

/** The exit status of the health check for a server that answers with `status`. */
async function healthOf(status: number): Promise<number> {
  const asked: string[] = [];
  const server = createServer((req, res) => {
    asked.push(req.url!);
    res.writeHead(status).end();
  });
  cleanup.after(() => new Promise((done) => server.close(done)));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const env = { PORT: String((server.address() as AddressInfo).port) };
  const exit = await promisify(execFile)(process.execPath, [join(ROOT, HEALTH_CHECK)], { env }).then(
    () => 0,
    ({ code }) => code,
  );
  assert.deepEqual(asked, ['/healthz']);
  return exit;
}

describe(FILE, () => {
  it('uses the Node that the tests use, in all stages', () => {
    const { node } = JSON.parse(readText('package.json')).devDependencies;
    for (const [from] of stages) assert.match(from!, new RegExp(`^FROM node:${node}-bookworm(-slim)?( AS \\w+)?$`));
  });

  it('ends without root, and starts the server directly below tini', () => {
    assert.deepEqual(find('USER'), ['10001:10001']);
    assert.deepEqual(find('ENTRYPOINT'), [
      '["tini", "--", "node", "--max-semi-space-size=8", "/opt/streamgate/server/bin/streamgate.js"]',
    ]);
    assert.ok(existsSync(join(ROOT, 'server/bin/streamgate.js')));
  });

  it('has no npm and no tools of the build in its last stage', () => {
    assert.match(last[0]!, /-slim$/);
    const [run] = find('RUN');
    const packages = /apt-get install (?:--\S+ )*((?:\w+ )+)/.exec(run!)![1]!.trim().split(' ');
    assert.deepEqual(packages, ['ffmpeg', 'tini']);
    assert.match(run!, /rm -rf .*\/usr\/local\/lib\/node_modules /);
  });

  it('copies only files that are there or that a stage before has made', () => {
    const names = new Set(stages.map(([from]) => / AS (\w+)$/.exec(from!)?.[1]));
    for (const line of stages.flat().filter((one) => one.startsWith('COPY '))) {
      const [, from, sources] = /^COPY (?:--from=(\w+) )?(.*) \S+$/.exec(line)!;
      if (from !== undefined) assert.ok(names.has(from), line);
      else for (const source of sources!.split(' ')) assert.ok(existsSync(join(ROOT, source)), line);
    }
  });

  it('is built from a context with all that the build reads', () => {
    const build = readText('scripts/build.ts');
    const inputs = [
      ...build
        .slice(build.indexOf('const INPUTS'))
        .split('];')[0]!
        .matchAll(/'([^']+)'/g),
    ];
    assert.ok(inputs.length > 4);
    const ignored = readText('.dockerignore').split('\n');
    for (const [, input] of inputs) assert.equal(ignored.includes(input!.split('/')[0]!), false, input);
    assert.ok(ignored.includes(`!${HEALTH_CHECK}`));
  });

  it('checks the health with the file that it copies', () => {
    const [path] = /"([^"]*\.mjs)"/.exec(find('HEALTHCHECK').join())!.slice(1);
    assert.ok(find('COPY').includes(`${HEALTH_CHECK} ${path}`));
  });
});

describe(HEALTH_CHECK, () => {
  it('ends with 0 if the server can admit viewers', async () => assert.equal(await healthOf(200), 0));

  it('ends with 1 if the server cannot', async () => assert.equal(await healthOf(503), 1));

  it('ends with 1, by itself and in time, if the event loop of the server is stuck', async () => {
    const { timeout } = /--timeout=(?<timeout>\d+)s/.exec(find('HEALTHCHECK').join())!.groups!;
    const spin = `require('node:http').createServer().listen(0, '127.0.0.1', function () {
      process.send(this.address().port, () => { for (;;); });
    })`;
    const server = spawn(process.execPath, ['-e', spin], { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
    cleanup.after(() => server.kill('SIGKILL'));
    const [port] = await once(server, 'message');
    const env = { PORT: String(port) };
    const began = performance.now();
    const check = promisify(execFile)(process.execPath, [join(ROOT, HEALTH_CHECK)], { env });
    await assert.rejects(check, { code: 1, killed: false });
    assert.ok(performance.now() - began < Number(timeout) * 1_000);
  });
});
