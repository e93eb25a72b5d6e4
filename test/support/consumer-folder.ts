import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, runCommand } from '../../scripts/run-command.js';

/** Compiler settings of a consumer. */
export interface CompilerSettings {
  readonly strict: boolean;
  readonly moduleResolution: 'bundler' | 'node16';
}

/** A project with the packed package and some packages of this repository. */
export class ConsumerFolder {
  readonly path: string;

  /** @param packages folders in this repository's node_modules, by their names in the project */
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
   * The compiler's errors for this file, including those in the declarations of the package. Empty if there are none.
   * Each file is a program of its own, because an import of one file adds global declarations for the whole program.
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
      // Not the compiler's own declarations, which were half of the work.
      skipDefaultLibCheck: true,
      noEmit: true,
    };
    writeFileSync(config, JSON.stringify({ compilerOptions, files: [join(this.path, 'src', file)] }));
    const { ok, output } = await runCommand('tsc', ['-p', config, '--singleThreaded'], { quiet: true });
    return ok ? '' : output || 'the compiler failed without output';
  }
}
