// Compiled, never run: what TypeScript knows of the errors of `streamgate/management`.
import { ManagementError } from '../../src/management.js';

export function isGone(error: unknown): boolean {
  if (!(error instanceof ManagementError)) return false;
  // @ts-expect-error: there is no such code
  if (error.code === 'token_not_fuond') return true;
  return error.code === 'token_not_found';
}
