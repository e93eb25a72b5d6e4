import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { readConfig, type Config } from '../../server/config/config.js';
import { variableNames } from '../../server/config/environment-schema.js';
import { readText, readYaml, variablesIn } from '../support/deploy.js';

const ROOT = join(import.meta.dirname, '../..');
const HOME = 'deploy/compose';
const FILE = `${HOME}/compose.yaml`;

type Networks = Readonly<Record<string, { readonly ipv4_address?: string }>>;

interface Service {
  readonly image: string;
  readonly environment?: Readonly<Record<string, string | number>>;
  readonly ports?: readonly string[];
  readonly volumes?: readonly string[];
  readonly networks?: readonly string[] | Networks;
  readonly command?: readonly string[];
  readonly secrets?: readonly string[];
  readonly depends_on?: readonly string[] | Readonly<Record<string, unknown>>;
  readonly read_only?: boolean;
  readonly cap_drop?: readonly string[];
}
interface Compose {
  readonly services: Readonly<Record<string, Service>>;
  readonly volumes: Readonly<Record<string, unknown>>;
  readonly networks: Readonly<Record<string, unknown>>;
  readonly secrets: Readonly<Record<string, { readonly file: string }>>;
}

const { services, volumes, networks, secrets } = readYaml<Compose>(FILE);
const nginx = readText(`${HOME}/nginx/streamgate.conf.template`);
const nodes = Object.entries(services).filter(([name]) => name.startsWith('node-'));

const folder = mkdtempSync(join(tmpdir(), 'streamgate-compose-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const script = join(folder, 'make-secrets.sh');
copyFileSync(join(ROOT, HOME, 'make-secrets.sh'), script);
execFileSync('sh', [script]);
const values = variablesIn(readFileSync(join(folder, '.env'), 'utf8'));

/** What Compose makes of a value: `${NAME}`, `${NAME:?}` and `${NAME:-default}`. */
function filledIn(value: string | number): string {
  return String(value).replaceAll(/\$\{([A-Z_]+)(?::(?:-([^}]*)|\?))?\}/g, (_, name: string, initial?: string) => {
    const known = values[name] ?? initial;
    assert.ok(known !== undefined, `make-secrets.sh writes no ${name}`);
    return known;
  });
}

const environmentOf = ({ environment = {} }: Service): Record<string, string> =>
  Object.fromEntries(Object.entries(environment).map(([name, value]) => [name, filledIn(value)]));
const configOf = (service: Service): Config => readConfig(environmentOf(service));
/** In the network of nginx. Undefined: another one after each upgrade. */
const addressOf = ({ networks = [] }: Service): string | undefined => (networks as Networks)['front']?.ipv4_address;

/** `40000-40001:40000-40001/udp` as pairs of ports, outside and inside. */
function publishedPorts({ ports = [] }: Service, protocol: 'udp' | 'tcp'): [outside: number, inside: number][] {
  return ports.flatMap((port) => {
    const [, outside, outsideEnd, inside, , is = 'tcp'] = /^(\d+)(?:-(\d+))?:(\d+)(?:-(\d+))?(?:\/(\w+))?$/.exec(port)!;
    const count = Number(outsideEnd ?? outside) - Number(outside) + 1;
    const pairs = Array.from({ length: count }, (_, n): [number, number] => [Number(outside) + n, Number(inside) + n]);
    return is === protocol ? pairs : [];
  });
}

describe(FILE, () => {
  it('has two nodes', () => assert.equal(nodes.length, 2));

  for (const [name, service] of nodes) {
    describe(name, () => {
      it('sets only variables that the server reads, to values that it accepts', () => {
        for (const variable of Object.keys(service.environment!)) {
          assert.ok(variableNames.includes(variable), `the server does not read ${variable}`);
        }
        assert.ok(configOf(service).databaseUrl?.includes('@postgres:5432/'));
      });

      it('publishes the port of each media process under its own number', () => {
        const { mediaUdpPort, mediaTcpPort, mediaWorkers } = configOf(service);
        const from = (first: number) => Array.from({ length: mediaWorkers }, (_, n) => [first + n, first + n]);
        assert.deepEqual(publishedPorts(service, 'udp'), from(mediaUdpPort));
        const rtmp = ([, inside]: [number, number]) => inside === configOf(service).rtmpPort;
        const tcp = publishedPorts(service, 'tcp');
        assert.deepEqual(
          tcp.filter((pair) => !rtmp(pair)),
          from(mediaTcpPort!),
        );
        assert.equal(tcp.filter(rtmp).length, 1);
      });

      it('believes nginx, and no other, about the addresses of clients', () => {
        assert.deepEqual(configOf(service).trustedProxies, [addressOf(services['nginx']!)]);
      });

      it('is found by nginx at an address that stays, under its own name and the common one', () => {
        const domain = new URL(configOf(service).nodeUrl!).host.replace(values['DOMAIN']!, '${DOMAIN}');
        const server = `${addressOf(service)}:${configOf(service).port}`;
        for (const upstream of ['nodes', 'directors'])
          assert.match(nginx, new RegExp(`upstream ${upstream} {[^}]*server ${server}[; ]`));
        assert.ok(nginx.includes(`server_name ${domain};\n  location / { proxy_pass http://${server}; }`), domain);
      });

      it('cannot write to its image, and has no capabilities', () => {
        assert.equal(service.read_only, true);
        assert.deepEqual(service.cap_drop, ['ALL']);
      });

      it('has the volumes of the image', () => {
        const inside = service.volumes!.map((volume) => volume.split(':')[1]);
        const declared = JSON.parse(/^VOLUME (.*)$/m.exec(readText('deploy/docker/Dockerfile'))![1]!);
        assert.deepEqual(inside, declared);
      });
    });
  }

  it('gives each node its own address, ports and volumes, and the same database and key', () => {
    const [one, two] = nodes.map(([, service]) => service) as [Service, Service];
    assert.equal(configOf(one).publicUrl, configOf(two).publicUrl);
    assert.notEqual(configOf(one).nodeUrl, configOf(two).nodeUrl);
    for (const protocol of ['udp', 'tcp'] as const) {
      const outside = [one, two].flatMap((node) => publishedPorts(node, protocol).map(([port]) => port));
      assert.equal(new Set(outside).size, outside.length, `${protocol} ${outside}`);
    }
    assert.equal(new Set([...one.volumes!, ...two.volumes!]).size, 4);
    assert.equal(configOf(one).databaseUrl, configOf(two).databaseUrl);
    assert.deepEqual(configOf(one).encryptionKey, configOf(two).encryptionKey);
  });

  it('uses images of exact versions, but for the one that is built here', () => {
    for (const [name, { image }] of Object.entries(services)) {
      const isBuilt = name.startsWith('node-');
      assert.match(image, isBuilt ? /^streamgate:/ : /^[\w./-]+:v?\d+\.\d+(\.\d+)?(-[\w.]+)?$/, name);
    }
  });

  it('names only files, volumes, networks, secrets and services that are there', () => {
    for (const [name, service] of Object.entries(services)) {
      for (const volume of service.volumes ?? []) {
        const [source] = volume.split(':') as [string];
        if (source.startsWith('.')) assert.ok(existsSync(join(ROOT, HOME, source)), `${name}: ${source}`);
        else if (!source.startsWith('$')) assert.ok(source in volumes, `${name}: ${source}`);
      }
      const used = Array.isArray(service.networks) ? service.networks : Object.keys(service.networks ?? {});
      for (const network of used) assert.ok(network in networks, `${name}: ${network}`);
      for (const secret of service.secrets ?? []) assert.ok(secret in secrets, `${name}: ${secret}`);
      const needed = Array.isArray(service.depends_on) ? service.depends_on : Object.keys(service.depends_on ?? {});
      for (const other of needed) assert.ok(other in services, `${name}: ${other}`);
    }
  });

  it('gives nginx the folder that its links to certificates stay in', () => {
    const certificates = [...nginx.matchAll(/^ssl_certificate\w* +(.*);$/gm)].map(([, path]) => path);
    const live = '/etc/letsencrypt/live/${DOMAIN}';
    assert.deepEqual(certificates, [`${live}/fullchain.pem`, `${live}/privkey.pem`]);
    assert.ok(services['nginx']!.volumes!.map(filledIn).includes('/etc/letsencrypt:/etc/letsencrypt:ro'));
  });

  it('lets the TURN server relay to the announced address only, with the secret of the nodes', () => {
    const options = services['coturn']!.command!.map(filledIn);
    const { mediaAnnouncedIps, turnSecret, turnUrls } = configOf(nodes[0]![1]);
    const port = options.find((option) => option.startsWith('--listening-port='))!.split('=')[1];
    assert.deepEqual(
      options.filter((option) => option.startsWith('--allowed-peer-ip=')),
      mediaAnnouncedIps.map((address) => `--allowed-peer-ip=${address}`),
    );
    assert.ok(options.includes(`--static-auth-secret=${turnSecret}`));
    assert.ok(turnUrls.every((url) => url.includes(`:${port}?`)));
  });
});

describe(`${HOME}/make-secrets.sh`, () => {
  it('gives the nodes and Prometheus the same token, and shows .env to nobody else', () => {
    assert.equal(readFileSync(join(folder, 'metrics-token'), 'utf8'), values['METRICS_TOKEN']);
    assert.equal(statSync(join(folder, '.env')).mode & 0o777, 0o600);
  });

  it('keeps secrets that are there', () => {
    assert.throws(() => execFileSync('sh', [script], { stdio: 'ignore' }));
    assert.deepEqual(variablesIn(readFileSync(join(folder, '.env'), 'utf8')), values);
  });
});
