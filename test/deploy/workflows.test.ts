import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { readText, readYaml } from '../support/deploy.js';

const HOME = '.github/workflows';
const files = readdirSync(join(import.meta.dirname, '../..', HOME));

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, string | boolean>>;
}
interface Workflow {
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<string, { readonly permissions?: Readonly<Record<string, string>>; readonly steps: readonly Step[] }>
  >;
}
const stepsOf = ({ jobs }: Workflow): Step[] => Object.values(jobs).flatMap(({ steps }) => steps);

for (const file of files) {
  describe(`${HOME}/${file}`, () => {
    const workflow = readYaml<Workflow>(`${HOME}/${file}`);

    it('uses actions by their commit, with the version in a comment', () => {
      const lines = readText(`${HOME}/${file}`).split('\n');
      const uses = lines.filter((line) => line.includes('uses:'));
      assert.ok(uses.length > 1);
      for (const line of uses) assert.match(line, /uses: [\w-]+\/[\w-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/);
    });

    it('may only read, unless a job says otherwise', () =>
      assert.deepEqual(workflow.permissions, { contents: 'read' }));

    it('uses the Node of package.json', () => {
      const { node } = JSON.parse(readText('package.json')).devDependencies;
      const versions = stepsOf(workflow).flatMap((step) => step.with?.['node-version'] ?? []);
      assert.ok(versions.length > 0);
      for (const version of versions) assert.equal(version, node);
    });
  });
}

describe(`${HOME}/release.yml`, () => {
  const workflow = readYaml<Workflow>(`${HOME}/release.yml`);
  const commands = stepsOf(workflow).flatMap(({ run }) => run ?? []);

  it('may sign the provenance, and nothing more', () => {
    assert.deepEqual(
      Object.values(workflow.jobs).map(({ permissions }) => permissions),
      [{ contents: 'read', 'id-token': 'write' }],
    );
  });

  it('publishes with provenance after all tests, and without a token', () => {
    const publishing = commands.findIndex((command) => command.includes('npm publish'));
    assert.match(commands[publishing]!, /npm publish "\$tarball" --provenance --access public/);
    assert.ok(commands.slice(0, publishing).some((command) => command.includes('.ci/run')));
    assert.doesNotMatch(readText(`${HOME}/release.yml`), /NPM_TOKEN|secrets\./);
  });
});
