import * as z from 'zod/mini';

/** A problem or a warning of the server: see `server/health`. */
const report = z.object({ code: z.string(), message: z.string() });
const reports = z.object({ problems: z.array(report), warnings: z._default(z.array(report), []) });

export interface ServerReport {
  readonly code: string;
  /** A sentence of the server, in English. */
  readonly message: string;
}

/** Of an answer to `GET /readyz`, which has status 503 while there are problems. Empty: it cannot be read. */
export function readServerReports(answer: unknown): readonly ServerReport[] {
  const read = reports.safeParse(Object(answer).data);
  return read.success ? [...read.data.problems, ...read.data.warnings] : [];
}

/** What the server says of itself. Empty: nothing, or there is no readable answer. */
export async function fetchServerReports(origin: string): Promise<readonly ServerReport[]> {
  try {
    const response = await fetch(`${origin}/readyz`);
    return readServerReports(await response.json());
  } catch {
    return [];
  }
}
