import { after, before, describe, it } from 'node:test';
import { toolPath } from '../../../scripts/tools.ts';
import { Cleanup } from '../../support/cleanup.js';
import { dataFolder } from '../../support/data-folder.js';
import { readText } from '../../support/deploy.js';
import { freePort } from '../../support/free-port.js';
import { until } from '../../support/media/until.js';
import { startNginx } from '../../support/nginx.js';
import { ffmpegProgram, LIVE_H264, LIVE_INPUT, runFfmpeg, words } from '../../support/run-encoder.js';
import { streamServer, type TestServer } from '../../support/stream-server.js';

/** The configuration in the guide. */
const [, CONFIG] = /```nginx\n([^]*?)```/.exec(readText('docs/guides/rtmp-relay.md'))!;

describe('an encoder through nginx', () => {
  const cleanup = new Cleanup();
  const stop = new AbortController();
  let app: TestServer;
  before(async () => {
    app = await streamServer(cleanup, { RTMP_PORT: '0', FFMPEG_PATH: await ffmpegProgram() });
  });
  after(() => cleanup.run());

  /** @returns the port that encoders send to */
  async function relay(token: string): Promise<number> {
    const port = await freePort();
    const config = CONFIG!
      .replace('listen 1935', `listen 127.0.0.1:${port}`)
      .replace('live.example.com:1935', `127.0.0.1:${app.server.rtmpPort}`)
      .replace('10.0.0.0/8', '127.0.0.0/8')
      .replace('TOKEN', token);
    const beside = `load_module ${await toolPath('nginxRtmp')};\n${config}`;
    await startNginx(cleanup, { folder: await dataFolder(cleanup), beside, port });
    return port;
  }

  it('is live with sound and picture, under the token in the configuration of the guide', async () => {
    const streams = [{ streamName: 'keynote', isRegex: false }];
    const { token } = await app.server.tokens.create({ accountId: 'main', kind: 'publish' }, { label: '', streams });
    const url = `rtmp://127.0.0.1:${await relay(token)}/cameras/camera-1`;
    const pushing = runFfmpeg([...LIVE_INPUT, ...LIVE_H264, ...words('-c:a aac -f flv'), url], stop.signal);
    for (const kind of ['audio', 'video'] as const) {
      await until(`${kind} came`, () => app.engine.writtenFrames.filter((frame) => frame.kind === kind).length > 30);
    }
    stop.abort();
    await pushing;
  });
});
