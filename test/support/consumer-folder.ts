import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../../scripts/run-command.js';

/** As a consumer may set the compiler. */
export interface CompilerSettings {
  readonly strict: boolean;
  readonly moduleResolution: 'bundler' | 'node16';
}

/** A project that has the packed package, beside packages of this repository. */
export class ConsumerFolder {
  readonly path: string;

  /** @param packages what else the project has: folders in this repository's node_modules, by the names that they get */
  constructor(path: string, packages: Readonly<Record<string, string>>) {
    this.path = path;
    for (const [name, folder] of Object.entries(packages)) {
      mkdirSync(join(path, 'node_modules', name, '..'), { recursive: true });
      symlinkSync(join(root, 'node_modules', folder), join(path, 'node_modules', name));
    }
    writeFileSync(join(path, 'package.json'), JSON.stringify({ private: true, type: 'module' }));
  }

  async unpack(tarball: string): Promise<void> {
    const target = join(this.path, 'node_modules/streamgate');
    mkdirSync(target);
    const { ok, output } = await runCommand('tar', ['-xzf', tarball, '-C', target, '--strip-components=1'], {
      quiet: true,
    });
    if (!ok) throw new Error(output);
  }

  copy(sources: string): void {
    cpSync(sources, join(this.path, 'src'), { recursive: true });
  }

  /**
   * What the compiler says of a program of this file alone, declarations of the package included; empty: nothing.
   * A program for each file, because what one file imports is declared for all others of its program, too.
   */
  async typeErrors(file: string, { strict, moduleResolution }: CompilerSettings): Promise<string> {
    const config = join(this.path, `${file}.${strict}.${moduleResolution}.json`.replaceAll('/', '.'));
    const compilerOptions = {
      strict,
      moduleResolution,
      module: moduleResolution === 'node16' ? 'node16' : 'esnext',
      target: 'es2022',
      lib: ['es2022', 'dom', 'dom.iterable'],
      types: [],
      jsx: 'react-jsx',
      skipLibCheck: false,
      noEmit: true,
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [join(this.path, 'src', file)] }));
    const { ok, output } = await runCommand('tsc', ['-p', config, '--singleThreaded'], { quiet: true });
    return ok ? '' : output || 'the compiler failed and said nothing';
  }
}
