import type { CliCommand } from '../command.js';

export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'run the server; what happens when no command is given',
  async run({ config, env }) {
    // The other commands need not load a media engine.
    const { serve } = await import('../../main.js');
    await serve(config, env);
    return undefined;
  },
};
