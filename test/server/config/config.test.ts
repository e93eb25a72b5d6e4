import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { describe, it } from 'node:test';
import { ConfigError } from '../../../server/config/config-error.js';
import { publicUrlOf, readConfig } from '../../../server/config/config.js';
import { variableNames } from '../../../server/config/environment-schema.js';

const faultsOf = (env: Record<string, string>): readonly string[] => {
  try {
    readConfig(env);
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
  return [];
};

describe('readConfig', () => {
  it('has a default for every optional variable', () => {
    assert.deepEqual(readConfig({ PATH: '/bin' }), {
      port: 8080,
      host: undefined,
      publicUrl: undefined,
      nodeUrl: undefined,
      nodeRelay: false,
      trustedProxies: [],
      clientAddressHeader: 'x-forwarded-for',
      tls: undefined,
      dataDir: './data',
      databaseUrl: undefined,
      databaseWaitS: 600,
      encryptionKey: undefined,
      expiredTokensKeptDays: 30,
      sessionsKeptDays: 30,
      viewerReports: true,
      janus: undefined,
      mediaHost: undefined,
      mediaUdpPort: 40_000,
      mediaTcpPort: 40_000,
      mediaWorkers: Math.min(availableParallelism(), 64),
      mediaAnnouncedIps: [],
      mediaSandbox: true,
      mediaMaxRembKbps: 4_000,
      stunUrls: [],
      turnUrls: [],
      turnSecret: undefined,
      turnTtlS: 21_600,
      resumeWithinS: 10,
      drainWithinS: undefined,
      otlpEndpoint: undefined,
      otelServiceName: 'streamgate',
      traceRatio: 1,
      rtmpPort: undefined,
      rtmpHost: undefined,
      ffmpegPath: undefined,
      recordingsDir: 'data/recordings',
      recordingsMinFreeBytes: undefined,
      recordingsS3: undefined,
      rtmpTranscode: 'off',
      hlsCdnUrl: undefined,
      geoipDb: undefined,
      upstreamAllowedNetworks: [],
      webhookAllowedNetworks: [],
      metricsToken: undefined,
      logLevel: 'info',
    });
  });

  it('reads every variable', () => {
    const hex = '0f'.repeat(32);
    const config = readConfig({
      PORT: '0',
      HOST: '127.0.0.1',
      PUBLIC_URL: 'https://Live.example.com/',
      NODE_URL: 'https://one.live.example.com/',
      NODE_RELAY: 'on',
      TRUSTED_PROXIES: '127.0.0.1, 10.1.2.3/8,::ffff:192.0.2.1',
      CLIENT_ADDRESS_HEADER: 'CF-Connecting-IP',
      TLS_CERT: '/etc/tls/cert.pem',
      TLS_KEY: '/etc/tls/key.pem',
      DATA_DIR: '/var/lib/streamgate',
      DATABASE_URL: 'postgres://user@db.example.com/streamgate',
      DATABASE_WAIT_S: '30',
      ENCRYPTION_KEY: hex,
      EXPIRED_TOKENS_KEPT_DAYS: '7',
      SESSIONS_KEPT_DAYS: '0',
      VIEWER_REPORTS: 'off',
      MEDIA_HOST: '192.0.2.7',
      MEDIA_UDP_PORT: '50000',
      MEDIA_TCP_PORT: '443',
      MEDIA_WORKERS: '3',
      MEDIA_ANNOUNCED_IPS: '203.0.113.7, 2001:DB8:0::7,::ffff:203.0.113.7',
      MEDIA_SANDBOX: 'off',
      MEDIA_MAX_REMB_KBPS: '12000',
      STUN_URLS: 'stun:stun.example.com',
      TURN_URLS: 'turn:turn.example.com:3478?transport=tcp, turns:[2001:db8::9]:443',
      TURN_SECRET: 'north wind and sun',
      TURN_TTL_S: '3600',
      RESUME_WITHIN_S: '0',
      DRAIN_WITHIN_S: '45',
      OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318',
      OTEL_SERVICE_NAME: 'live',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      RTMP_PORT: '1935',
      RTMP_HOST: '0.0.0.0',
      FFMPEG_PATH: '/opt/ffmpeg',
      RECORDINGS_DIR: '/srv/recordings',
      RECORDINGS_MIN_FREE_MB: '0',
      RECORDINGS_S3_ENDPOINT: 'https://s3.example.com',
      RECORDINGS_S3_BUCKET: 'media',
      RECORDINGS_S3_REGION: 'eu-1',
      RECORDINGS_S3_ACCESS_KEY_ID: 'id',
      RECORDINGS_S3_SECRET_ACCESS_KEY: 'key',
      RECORDINGS_S3_PREFIX: 'live/',
      RTMP_TRANSCODE: 'x264',
      HLS_CDN_URL: 'https://CDN.example.com/one/',
      GEOIP_DB: '/srv/country.mmdb',
      UPSTREAM_ALLOWED_NETWORKS: '10.30.0.0/16',
      WEBHOOK_ALLOWED_NETWORKS: '10.20.0.0/16',
      METRICS_TOKEN: '0123456789abcdef',
      LOG_LEVEL: 'debug',
    });
    assert.deepEqual(
      { ...config, encryptionKey: Buffer.from(config.encryptionKey ?? '').toString('hex') },
      {
        port: 0,
        host: '127.0.0.1',
        publicUrl: 'https://live.example.com',
        nodeUrl: 'https://one.live.example.com',
        nodeRelay: true,
        trustedProxies: ['127.0.0.1', '10.0.0.0/8', '192.0.2.1'],
        clientAddressHeader: 'cf-connecting-ip',
        tls: { certFile: '/etc/tls/cert.pem', keyFile: '/etc/tls/key.pem' },
        dataDir: '/var/lib/streamgate',
        databaseUrl: 'postgres://user@db.example.com/streamgate',
        databaseWaitS: 30,
        encryptionKey: hex,
        expiredTokensKeptDays: 7,
        sessionsKeptDays: 0,
        viewerReports: false,
        janus: undefined,
        mediaHost: '192.0.2.7',
        mediaUdpPort: 50_000,
        mediaTcpPort: 443,
        mediaWorkers: 3,
        mediaAnnouncedIps: ['203.0.113.7', '2001:db8::7'],
        mediaSandbox: false,
        mediaMaxRembKbps: 12_000,
        stunUrls: ['stun:stun.example.com'],
        turnUrls: ['turn:turn.example.com:3478?transport=tcp', 'turns:[2001:db8::9]:443'],
        turnSecret: 'north wind and sun',
        turnTtlS: 3600,
        resumeWithinS: 0,
        drainWithinS: 45,
        otlpEndpoint: 'http://collector:4318',
        otelServiceName: 'live',
        traceRatio: 0.25,
        rtmpPort: 1935,
        rtmpHost: '0.0.0.0',
        ffmpegPath: '/opt/ffmpeg',
        recordingsDir: '/srv/recordings',
        recordingsMinFreeBytes: 0,
        recordingsS3: {
          endpoint: 'https://s3.example.com',
          bucket: 'media',
          region: 'eu-1',
          accessKeyId: 'id',
          secretAccessKey: 'key',
          prefix: 'live/',
        },
        rtmpTranscode: 'x264',
        hlsCdnUrl: 'https://cdn.example.com/one',
        geoipDb: '/srv/country.mmdb',
        upstreamAllowedNetworks: ['10.30.0.0/16'],
        webhookAllowedNetworks: ['10.20.0.0/16'],
        metricsToken: '0123456789abcdef',
        logLevel: 'debug',
      },
    );
  });

  it('accepts the key in base64', () => {
    const key = Buffer.alloc(32, 9);
    assert.deepEqual(Buffer.from(readConfig({ ENCRYPTION_KEY: key.toString('base64') }).encryptionKey!), key);
  });

  it('counts an empty variable as unset', () => {
    assert.equal(readConfig({ PORT: '', HOST: ' ' }).port, 8080);
    assert.equal(readConfig({ METRICS_TOKEN: ' 0123456789abcdef\n' }).metricsToken, '0123456789abcdef');
    assert.equal(readConfig({ PORT: '', HOST: ' ' }).host, undefined);
  });

  it('reports every fault at once, by the name of its variable', () => {
    const faults = faultsOf({ PORT: 'http', MEDIA_UDP_PORT: '65536', LOG_LEVEL: 'loud', DATA_DIR: './data' });
    assert.deepEqual(
      faults.map((fault) => fault.split(':')[0]),
      ['PORT', 'MEDIA_UDP_PORT', 'LOG_LEVEL'],
    );
  });

  it('refuses a UDP port with too few ports above it for all workers', () => {
    assert.deepEqual(faultsOf({ MEDIA_UDP_PORT: '65534', MEDIA_WORKERS: '2' }), []);
    assert.deepEqual(faultsOf({ MEDIA_UDP_PORT: '65534', MEDIA_WORKERS: '3' }), [
      'MEDIA_UDP_PORT: must be 65533 or less, because 3 MEDIA_WORKERS need a port each (it is "65534")',
    ]);
  });

  it('uses the UDP port for media over TCP, or another port, or none', () => {
    assert.equal(readConfig({ MEDIA_UDP_PORT: '50000' }).mediaTcpPort, 50_000);
    assert.equal(readConfig({ MEDIA_UDP_PORT: '50000', MEDIA_TCP_PORT: '443' }).mediaTcpPort, 443);
    assert.equal(readConfig({ MEDIA_TCP_PORT: 'off' }).mediaTcpPort, undefined);
  });

  it('refuses a TCP port for media that includes PORT or is too high', () => {
    const workers = { MEDIA_WORKERS: '2' };
    for (const PORT of ['40000', '40001']) {
      assert.deepEqual(faultsOf({ ...workers, PORT }), [
        'MEDIA_TCP_PORT: must not include PORT, because 2 MEDIA_WORKERS need a port each; if unset, it is MEDIA_UDP_PORT',
      ]);
      assert.deepEqual(faultsOf({ ...workers, PORT, MEDIA_TCP_PORT: 'off' }), []);
    }
    assert.deepEqual(faultsOf({ ...workers, MEDIA_TCP_PORT: '65535' }), [
      'MEDIA_TCP_PORT: must be 65534 or less, because 2 MEDIA_WORKERS need a port each (it is "65535")',
    ]);
  });

  for (const [name, value] of [
    ['MEDIA_TCP_PORT', 'on'],
    ['MEDIA_TCP_PORT', '65536'],
    ['MEDIA_WORKERS', '0'],
    ['MEDIA_WORKERS', '65'],
    ['MEDIA_WORKERS', 'auto'],
    ['PORT', '-1'],
    ['PORT', '80.5'],
    ['PUBLIC_URL', 'live.example.com'],
    ['PUBLIC_URL', 'ftp://live.example.com'],
    ['PUBLIC_URL', 'https://live.example.com/path'],
    ['PUBLIC_URL', 'https://user:pass@live.example.com'],
    ['TRUSTED_PROXIES', 'true'],
    ['TRUSTED_PROXIES', '10.0.0.0/33'],
    ['TRUSTED_PROXIES', '10.0.0.1,'],
    ['MEDIA_ANNOUNCED_IPS', '127.1'],
    ['MEDIA_ANNOUNCED_IPS', '203.0.113.7,,203.0.113.8'],
    ['MEDIA_ANNOUNCED_IPS', 'example.com'],
    ['MEDIA_ANNOUNCED_IPS', '0.0.0.0'],
    ['MEDIA_ANNOUNCED_IPS', '::'],
    ['MEDIA_ANNOUNCED_IPS', '255.255.255.255'],
    ['MEDIA_ANNOUNCED_IPS', '224.0.0.1'],
    ['MEDIA_ANNOUNCED_IPS', 'ff02::1'],
    ['MEDIA_ANNOUNCED_IPS', 'fe80::1%eth0'],
    ['MEDIA_ANNOUNCED_IPS', '[2001:db8::7]'],
    ['MEDIA_ANNOUNCED_IPS', '203.0.113.7:40000'],
    ['MEDIA_SANDBOX', 'true'],
    ['MEDIA_MAX_REMB_KBPS', '99'],
    ['MEDIA_MAX_REMB_KBPS', '100001'],
    ['MEDIA_MAX_REMB_KBPS', '4 Mbit/s'],
    ['STUN_URLS', 'stun.example.com'],
    ['STUN_URLS', 'turn:turn.example.com'],
    ['STUN_URLS', Array.from({ length: 9 }, (_, n) => `stun:${n}.example.com`).join()],
    ['TURN_URLS', 'turn:turn.example.com,'],
    ['TURN_URLS', 'stun:turn.example.com'],
    ['TURN_SECRET', 'fifteen letters'],
    ['METRICS_TOKEN', 'fifteenletters!'],
    ['METRICS_TOKEN', 'sixteen letters!'],
    ['TURN_TTL_S', '299'],
    ['TURN_TTL_S', '86401'],
    ['TURN_TTL_S', '6h'],
    ['EXPIRED_TOKENS_KEPT_DAYS', '3651'],
    ['SESSIONS_KEPT_DAYS', 'off'],
    ['VIEWER_REPORTS', 'yes'],
    ['NODE_RELAY', 'always'],
    ['SESSIONS_KEPT_DAYS', '3651'],
    ['EXPIRED_TOKENS_KEPT_DAYS', '-1'],
    ['EXPIRED_TOKENS_KEPT_DAYS', 'never'],
    ['RESUME_WITHIN_S', '301'],
    ['RESUME_WITHIN_S', '-1'],
    ['HOST', 'http://127.0.0.1'],
    ['HOST', '127.0.0.1:8080'],
    ['HOST', 'live example'],
    ['HLS_CDN_URL', 'cdn.example.com'],
    ['HLS_CDN_URL', 'https://cdn.example.com/?token=a'],
    ['HLS_CDN_URL', 'https://cdn.example.com/#a'],
    ['HLS_CDN_URL', 'https://user:pass@cdn.example.com'],
    ['LOG_LEVEL', 'verbose'],
    ['MEDIA_HOST', 'media.example.com'],
    ['MEDIA_HOST', '127.1'],
    ['MEDIA_HOST', 'fe80::1%eth0'],
    ['MEDIA_HOST', '127.0.0.1,::1'],
    ['ENCRYPTION_KEY', 'abc'],
  ] as const) {
    it(`refuses ${value} as ${name}`, () =>
      assert.match(faultsOf({ [name]: value }).join(), new RegExp(`^${name}: .`)));
  }

  it('names the limits of a number, whatever is wrong with the value', () => {
    for (const TURN_TTL_S of ['299', '86401', '1234567', '6h']) {
      const must = 'must be a number of seconds from 300 to 86400';
      assert.deepEqual(faultsOf({ TURN_TTL_S }), [`TURN_TTL_S: ${must} (it is "${TURN_TTL_S}")`]);
    }
  });

  it('keeps expired tokens for 30 days, for the configured number of days, or for ever', () => {
    const kept = (value?: string) => readConfig({ EXPIRED_TOKENS_KEPT_DAYS: value }).expiredTokensKeptDays;
    assert.deepEqual([kept(), kept('0'), kept('3650'), kept('off')], [30, 0, 3650, undefined]);
    for (const EXPIRED_TOKENS_KEPT_DAYS of ['3651', '1.5', 'never']) {
      assert.deepEqual(faultsOf({ EXPIRED_TOKENS_KEPT_DAYS }), [
        `EXPIRED_TOKENS_KEPT_DAYS: must be a number of days from 0 to 3650, or off (it is "${EXPIRED_TOKENS_KEPT_DAYS}")`,
      ]);
    }
  });

  it('refuses TURN servers without a secret, and a secret without servers', () => {
    assert.deepEqual(faultsOf({ TURN_URLS: 'turn:turn.example.com' }), ['TURN_SECRET: is required with TURN_URLS']);
    assert.deepEqual(faultsOf({ TURN_SECRET: 'north wind and sun' }), ['TURN_URLS: is required with TURN_SECRET']);
    assert.deepEqual(faultsOf({ TLS_CERT: 'cert.pem', TLS_KEY: 'key.pem', PUBLIC_URL: 'http://live.example.com' }), [
      'PUBLIC_URL: must begin with https: if TLS_CERT is set (it is "http://live.example.com")',
    ]);
    assert.deepEqual(faultsOf({ TLS_CERT: 'cert.pem' }), ['TLS_KEY: is required with TLS_CERT']);
    assert.deepEqual(faultsOf({ TLS_KEY: 'key.pem' }), ['TLS_CERT: is required with TLS_KEY']);
  });

  it('has Janus carry the media, which needs its address and excludes what needs frames', () => {
    const JANUS = { MEDIA_ENGINE: 'janus', JANUS_URL: 'ws://10.0.0.5:8188' };
    assert.equal(readConfig({ JANUS_URL: JANUS.JANUS_URL }).janus, undefined);
    const config = readConfig({
      ...JANUS,
      JANUS_EDGE_URLS: 'ws://10.0.0.6:8188, wss://edge.example.com/janus',
      JANUS_API_SECRET: 'north wind and sun',
    });
    assert.deepEqual(config.janus, {
      url: 'ws://10.0.0.5:8188',
      edgeUrls: ['ws://10.0.0.6:8188', 'wss://edge.example.com/janus'],
      apiSecret: 'north wind and sun',
      token: undefined,
      roomKey: undefined,
    });
    assert.equal(config.recordingsDir, undefined);
    assert.deepEqual(faultsOf({ MEDIA_ENGINE: 'janus' }), ['JANUS_URL: is required with MEDIA_ENGINE=janus']);
    assert.deepEqual(faultsOf({ ...JANUS, JANUS_URL: 'http://10.0.0.5:8188' }), [
      'JANUS_URL: must be like ws://10.0.0.5:8188 (it is "http://10.0.0.5:8188")',
    ]);
    assert.deepEqual(faultsOf({ ...JANUS, RTMP_PORT: '1935', RECORDINGS_DIR: '/recordings' }), [
      'RTMP_PORT: must be off with MEDIA_ENGINE=janus, which gives and takes no frames (it is "1935")',
      'RECORDINGS_DIR: must be off with MEDIA_ENGINE=janus, which gives and takes no frames (it is "/recordings")',
    ]);
    assert.deepEqual(readConfig({ ...JANUS, RTMP_PORT: 'off', RECORDINGS_DIR: 'off' }).rtmpPort, undefined);
  });

  it('shows a wrong value on one line, cut to 100 characters', () => {
    assert.deepEqual(faultsOf({ PORT: 'http', LOG_LEVEL: 'loud', TRUSTED_PROXIES: '10.0.0.1\nx' }), [
      'PORT: must be a port number (it is "http")',
      String.raw`TRUSTED_PROXIES: must be IP addresses or ranges such as 10.0.0.0/8, separated by commas (it is "10.0.0.1\nx")`,
      'LOG_LEVEL: must be one of trace, debug, info, warn, error, fatal, silent (it is "loud")',
    ]);
    assert.ok(faultsOf({ PUBLIC_URL: 'x'.repeat(10_000) }).join().length < 300);
  });

  it('does not show the value of a secret or a password in a URL', () => {
    const secrets = variableNames.filter((name) => /SECRET|ENCRYPTION_KEY|PASSWORD|DATABASE_URL/.test(name));
    assert.deepEqual(secrets, [
      'DATABASE_URL',
      'ENCRYPTION_KEY',
      'JANUS_API_SECRET',
      'TURN_SECRET',
      'RECORDINGS_S3_SECRET_ACCESS_KEY',
    ]);
    for (const name of secrets) {
      const faults = faultsOf({ [name]: 'hunter2' });
      assert.ok(faults.length > 0 && !faults.join().includes('hunter2'), faults.join());
    }
    for (const [name, value] of [
      ['PUBLIC_URL', 'https://user:hunter2@live.example.com'],
      ['PUBLIC_URL', 'https://user:hunter2'.concat('@live.example.com/path')],
      ['TURN_URLS', 'turn:a.example.com,turn:user:hunter2@turn.example.com'],
    ] as const) {
      const faults = faultsOf({ [name]: value, TURN_SECRET: 'north wind and sun' }).join();
      assert.ok(faults.startsWith(`${name}: `) && faults.includes('…@') && !faults.includes('hunter2'), faults);
    }
  });

  it('reads exactly the variables of .env.example', () => {
    const example = readFileSync(new URL('../../../.env.example', import.meta.url), 'utf8');
    const names = [...example.matchAll(/^#?([A-Z0-9_]+)=/gm)].map(([, name]) => name);
    assert.deepEqual(names.toSorted(), variableNames.toSorted());
  });
});

describe('publicUrlOf', () => {
  it('is the public URL, or else a URL of this machine', () => {
    const here = { publicUrl: undefined, host: undefined, port: 8080, tls: undefined };
    assert.equal(publicUrlOf({ ...here, publicUrl: 'https://a.example' }), 'https://a.example');
    assert.equal(publicUrlOf(here), 'http://localhost:8080');
    assert.equal(publicUrlOf({ ...here, host: '0.0.0.0' }), 'http://localhost:8080');
    assert.equal(publicUrlOf({ ...here, host: '192.0.2.7' }), 'http://192.0.2.7:8080');
    assert.equal(publicUrlOf({ ...here, host: '2001:db8::7' }), 'http://[2001:db8::7]:8080');
    const tls = { certFile: 'cert.pem', keyFile: 'key.pem' };
    assert.equal(publicUrlOf({ ...here, tls }), 'https://localhost:8080');
  });
});

describe('the address for media', () => {
  it('is HOST, unless MEDIA_HOST is set', () => {
    assert.equal(readConfig({}).mediaHost, undefined);
    assert.equal(readConfig({ HOST: '127.0.0.1' }).mediaHost, '127.0.0.1');
    assert.equal(readConfig({ HOST: '0.0.0.0' }).mediaHost, undefined);
    assert.equal(readConfig({ HOST: '127.0.0.1', MEDIA_HOST: '192.0.2.7' }).mediaHost, '192.0.2.7');
    assert.equal(readConfig({ HOST: '127.0.0.1', MEDIA_HOST: '0.0.0.0' }).mediaHost, undefined);
  });

  it('is required if HOST is a name other than localhost', () => {
    assert.equal(readConfig({ HOST: 'localhost' }).mediaHost, '127.0.0.1');
    assert.equal(readConfig({ HOST: 'live.internal', MEDIA_HOST: '::1' }).mediaHost, '::1');
    assert.equal(faultsOf({ HOST: 'http://127.0.0.1' }).length, 1);
    assert.deepEqual(faultsOf({ HOST: 'live.internal' }), [
      'MEDIA_HOST: is required if HOST is a name, and must be an IP address',
    ]);
  });
});
