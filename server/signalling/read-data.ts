import * as z from 'zod/mini';
import type { Command } from './frame.js';
import { SignallingError } from './signalling-error.js';

/** Reads a command's data as `schema`, or refuses it with what is wrong. @throws {SignallingError} `invalid_command` */
export function parseCommandData<Schema extends z.ZodMiniType>(schema: Schema, command: Command): z.output<Schema> {
  const reading = z.safeParse(schema, command.data);
  if (reading.success) return reading.data;
  const faults = reading.error.issues.map(({ path, message }) => `${path.join('.') || 'data'}: ${message}`);
  throw new SignallingError('invalid_command', `the command "${command.name}" cannot be read: ${faults.join('; ')}`);
}
