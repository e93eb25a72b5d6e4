import { existsSync } from 'node:fs';
import { loadEnvFile } from 'node:process';
import { runCli } from './run-cli.js';

// Variables of the environment take precedence over those of the file.
if (existsSync('.env')) loadEnvFile('.env');

process.exitCode = await runCli(process.argv.slice(2), {
  env: process.env,
  stdout: (text) => process.stdout.write(`${text}\n`),
  stderr: (text) => process.stderr.write(`${text}\n`),
});
