import type { CliCommand } from '../command.js';

export const serveCommand: CliCommand = {
  name: 'serve',
  summary: 'run the server; the default command',
  async run({ config, env }) {
    // Imported here, so that the other commands do not load the media engine.
    const { serve } = await import('../../main.js');
    await serve(config, env);
    return undefined;
  },
};
