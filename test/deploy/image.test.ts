import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterEach, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { Cleanup } from '../support/cleanup.js';
import { dataFolder } from '../support/data-folder.js';
import { readText } from '../support/deploy.js';

const ROOT = join(import.meta.dirname, '../..');
const FILE = 'deploy/docker/Dockerfile';
const LIBRARY_BUILD = 'deploy/docker/build-webrtc-library.sh';
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
    assert.deepEqual(packages, ['ffmpeg', 'libusrsctp2', 'tini']);
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

  it('has the WebRTC library that it builds, and not the one of npm', () => {
    const line = (stage: string, text: string) =>
      stages.find(([from]) => from!.endsWith(` AS ${stage}`))!.some((one) => one.includes(text));
    assert.ok(line('dependencies', '&& rm -r node_modules/@node-datachannel'));
    assert.ok(
      line('webrtc', `sh /opt/build-webrtc-library.sh /opt/node-datachannel /tmp/webrtc /opt/node_datachannel.node`),
    );
    const folder = '/opt/streamgate/node_modules/node-datachannel/build/Release/';
    assert.ok(find('COPY').includes(`--from=webrtc /opt/node_datachannel.node ${folder}`));
    assert.ok(find('RUN').some((run) => run.includes(`require('${folder}node_datachannel.node')`)));
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
    for (const file of [HEALTH_CHECK, LIBRARY_BUILD]) assert.ok(ignored.includes(`!${file}`));
  });

  it('checks the health with the file that it copies', () => {
    const [path] = /"([^"]*\.mjs)"/.exec(find('HEALTHCHECK').join())!.slice(1);
    assert.ok(find('COPY').includes(`${HEALTH_CHECK} ${path}`));
  });
});

describe(LIBRARY_BUILD, () => {
  const script = readText(LIBRARY_BUILD);

  it('is for the version in the lock file, and refuses another', async () => {
    const lock = JSON.parse(readText('package-lock.json'));
    const { version } = lock.packages['node_modules/node-datachannel'];
    assert.ok(script.includes(`"$version" != ${version} `), 'look up the commits that the new version names');
    const folder = await dataFolder(cleanup);
    await writeFile(join(folder, 'package.json'), JSON.stringify({ version: '0.1.0' }));
    const build = promisify(execFile)('sh', [
      join(ROOT, LIBRARY_BUILD),
      folder,
      join(folder, 'work'),
      join(folder, 'out'),
    ]);
    await assert.rejects(build, { code: 1, stderr: /update the pinned sources/ });
  });

  it('takes the libdatachannel that node-datachannel names', () => {
    const [, tag] = /GIT_TAG "v(.*)"/.exec(readText('node_modules/node-datachannel/CMakeLists.txt'))!;
    assert.ok(script.includes(`libdatachannel ${tag} name`));
  });

  it('pins each source by its content', () => {
    const pinned = [...script.matchAll(/^(\w+)=[0-9a-f]{40}$/gm)].map(([, name]) => name!);
    const fetched = [...script.matchAll(/^checkout https:\S+ \$(\w+) /gm)].map(([, name]) => name!);
    assert.ok(fetched.length > 2);
    assert.deepEqual(fetched, pinned);
    assert.match(script, /^addon_api=[0-9a-f]{128}$/m);
    assert.match(script, /sha512sum --check/);
  });
});

describe(HEALTH_CHECK, () => {
  it('ends with 0 if the server can admit viewers', async () => assert.equal(await healthOf(200), 0));

  it('ends with 1 if the server cannot', async () => assert.equal(await healthOf(503), 1));

  it('ends with 1, by itself and in time, if the event loop of the server is stuck', async () => {
    const [, timeoutS] = /--timeout=(\d+)s/.exec(find('HEALTHCHECK').join())!;
    const [, timeoutMs] = /\btimeout: ([\d_]+)/.exec(readText(HEALTH_CHECK))!;
    assert.ok(Number(timeoutMs!.replaceAll('_', '')) < Number(timeoutS) * 1_000);
    // As a server whose event loop is stuck: it accepts connections and answers nothing.
    const server = createTcpServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    cleanup.after(() => server.close());
    const env = { PORT: String((server.address() as AddressInfo).port) };
    const check = promisify(execFile)(process.execPath, [join(ROOT, HEALTH_CHECK)], { env });
    await assert.rejects(check, { code: 1, killed: false });
  });
});
