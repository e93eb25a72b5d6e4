import assert from 'node:assert/strict';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, extname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { folderOf, frameworkApps, installApp, type FrameworkApp } from '../../scripts/framework-apps.js';
import { packPackage } from '../../scripts/pack.js';
import { runCommand, type CommandResult } from '../../scripts/run-command.js';

/** A type error that every checker must report: where it is inserted, and the expected message. */
interface Fault {
  readonly file: string;
  readonly right: string;
  readonly wrong: string;
  readonly expected: RegExp;
}

const NUMBER = /Type 'number' is not assignable to type 'string'/;
const CAUSE = /Property 'cause' does not exist on type 'StreamRejectedEvent'/;
const SOURCE = /sourceObject/;

const REACT: readonly Fault[] = [
  { file: 'src/Watch.tsx', right: 'token={token}', wrong: 'token={42}', expected: NUMBER },
  { file: 'src/Watch.tsx', right: 'event.reason', wrong: 'event.cause', expected: CAUSE },
  { file: 'src/Broadcast.tsx', right: 'srcObject=', wrong: 'sourceObject=', expected: SOURCE },
];

/** A property with a wrong type, an unknown field of an event, and an unknown property of the tag. */
const FAULTS: Readonly<Record<FrameworkApp, readonly Fault[]>> = {
  react: REACT,
  next: REACT,
  vue: [
    { file: 'src/Watch.vue', right: ' :token\n', wrong: ' :token="42"\n', expected: NUMBER },
    { file: 'src/Watch.vue', right: '$event.reason', wrong: '$event.cause', expected: CAUSE },
    { file: 'src/Broadcast.vue', right: ':srcObject=', wrong: ':sourceObject=', expected: SOURCE },
  ],
  svelte: [
    { file: 'src/Watch.svelte', right: ' {token}\n', wrong: ' token={42}\n', expected: NUMBER },
    { file: 'src/Watch.svelte', right: 'event.reason', wrong: 'event.cause', expected: CAUSE },
    { file: 'src/Broadcast.svelte', right: 'srcObject=', wrong: 'sourceObject=', expected: SOURCE },
  ],
  angular: [
    { file: 'src/app/watch.ts', right: '[token]="token()"', wrong: '[token]="42"', expected: NUMBER },
    { file: 'src/app/watch.ts', right: '$event.reason', wrong: '$event.cause', expected: CAUSE },
    { file: 'src/app/broadcast.ts', right: '[srcObject]=', wrong: '[sourceObject]=', expected: SOURCE },
  ],
};

/** Correct components with all kinds of properties and events. Angular needs none: its directives declare their inputs. */
const RIGHT_FOLDER = join(import.meta.dirname, 'right');
const RIGHT = readdirSync(RIGHT_FOLDER);

const CHECK_FORMAT = ['prettier', '--check', '--plugin', 'prettier-plugin-svelte', 'src'];

interface Server {
  /** Renders the component with the viewer. */
  readonly entry: string;
  /** The rendered tag. The guide warns of the token in it. */
  readonly written: RegExp;
}

const PROPS = `{ streamName: 'keynote', token: 'sesame' }`;
const SERVERS: Readonly<Partial<Record<FrameworkApp, Server>>> = {
  vue: {
    entry: `import { createSSRApp } from 'vue';
      import { renderToString } from 'vue/server-renderer';
      import Watch from './Watch.vue';
      export const markup = await renderToString(createSSRApp(Watch, ${PROPS}));`,
    written: /<stream-viewer autoplay controls streamName="keynote" token="sesame"><p slot="waiting">/,
  },
  svelte: {
    entry: `import { render } from 'svelte/server';
      import Watch from './Watch.svelte';
      export const markup = render(Watch, { props: ${PROPS} }).body;`,
    written: /<stream-viewer autoplay="" controls="" streamname="keynote" token="sesame"><p slot="waiting">/,
  },
};

const npm = (cwd: string, script: string): Promise<CommandResult> =>
  runCommand('npm', ['run', '--silent', script], {
    cwd,
    quiet: true,
    env: { FORCE_COLOR: '0', NO_COLOR: '1', CI: '1', NEXT_TELEMETRY_DISABLED: '1' },
  });

// Each application has a folder of its own.
describe('the applications of demo/frameworks', { concurrency: 2 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'streamgate-frameworks-'));
  let tarball: string;

  before(async () => {
    tarball = await packPackage();
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const app of frameworkApps) {
    describe(app, () => {
      const home = folderOf(app);
      before(() => installApp(app, tarball));

      it('passes its type check', async () => {
        const { ok, output } = await npm(home, 'check');
        assert.ok(ok, output);
      });

      if (app === 'svelte') {
        it('is formatted with the plugin for Svelte', async () => {
          const { ok, output } = await runCommand('npx', CHECK_FORMAT, { cwd: home, quiet: true });
          assert.ok(ok, output);
        });
      }

      it('fails its type check for wrong types only', async () => {
        const copy = copyOf(home, join(folder, `${app}-wrong`));
        const right = RIGHT.find((file) => extname(file) === extname(FAULTS[app][0]!.file));
        if (right) cpSync(join(RIGHT_FOLDER, right), join(copy, 'src', right));
        for (const { file, right, wrong } of FAULTS[app]) replace(join(copy, file), right, wrong);
        checkOwnFilesOnly(copy);
        const { ok, output } = await npm(copy, 'check');
        assert.equal(ok, false);
        for (const { expected } of FAULTS[app]) assert.match(output, expected);
        assert.doesNotMatch(output, /\bRight\./);
      });

      // Angular compiles components together with their directives. Next.js has the types and the components of React.
      if (app !== 'angular' && app !== 'next') {
        for (const strict of [true, false]) {
          it(`has typed events if one component alone is compiled, ${strict ? 'strict' : 'not strict'}`, async () => {
            const copy = copyOf(home, join(folder, `${app}-alone-${strict}`));
            const [{ file }] = FAULTS[app] as [Fault];
            const source = readFileSync(join(copy, file), 'utf8');
            rmSync(join(copy, 'src'), { recursive: true });
            mkdirSync(join(copy, 'src'));
            writeFileSync(join(copy, file), source);
            writeFileSync(join(copy, `src/Wrong${extname(file)}`), source.replace('event.reason', 'event.cause'));
            replace(join(copy, 'tsconfig.json'), '"strict": true', `"strict": ${strict}`);
            checkOwnFilesOnly(copy);
            const { ok, output } = await npm(copy, 'check');
            assert.equal(ok, false);
            assert.match(output, CAUSE);
            assert.doesNotMatch(output, /\bWatch\./);
          });
        }
      }

      const { entry, written } = SERVERS[app] ?? {};
      if (entry) {
        it('renders on a server as docs/frameworks.md describes', async () => {
          assert.match(await drawnOnServer(copyOf(home, join(folder, `${app}-server`)), entry), written!);
        });
      }

      it('is built for production', async () => {
        const { ok, output } = await npm(home, 'build');
        assert.ok(ok, output);
        const page = app === 'next' ? '.next/server/app/index.html' : 'dist/index.html';
        assert.match(readFileSync(join(home, page), 'utf8'), /<script [^>]*src="[^"]+\.js"/);
      });
    });
  }
});

/** A copy of the application without its build, with the same packages. */
function copyOf(home: string, copy: string): string {
  const left = new Set(['node_modules', 'dist', '.angular', '.next']);
  cpSync(home, copy, { recursive: true, filter: (path) => !left.has(basename(path)) });
  symlinkSync(join(home, 'node_modules'), join(copy, 'node_modules'));
  return copy;
}

function replace(file: string, right: string, wrong: string): void {
  const source = readFileSync(file, 'utf8');
  assert.ok(source.includes(right), `${file} has ${right}`);
  writeFileSync(file, source.replace(right, wrong));
}

/** Checks no declarations of packages, which is most of the time: `passes its type check` does. */
function checkOwnFilesOnly(copy: string): void {
  const file = join(copy, 'tsconfig.json');
  if (readFileSync(file, 'utf8').includes('"skipLibCheck": true')) return;
  replace(file, '"strict":', '"skipLibCheck": true, "strict":');
}

/** Adds a module to the application and returns the markup that it renders. */
async function drawnOnServer(copy: string, entry: string): Promise<string> {
  writeFileSync(join(copy, 'src/entry.ts'), entry);
  const { ok, output } = await runCommand('npx', ['vite', 'build', '--ssr', 'src/entry.ts'], {
    cwd: copy,
    quiet: true,
  });
  assert.ok(ok, output);
  const { markup } = await import(join(copy, 'dist/entry.js'));
  return markup;
}
