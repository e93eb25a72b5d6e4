import { after } from '../../faults/timers.js';

/** A limit passes in so many steps. */
const STEPS = 5;

/**
 * Waits for an answer for as long as this process works. While it stands still, as a virtual machine does that is moved
 * to another host, at most one step of the limit passes: what was answered meanwhile is read before the limit is over.
 * @param onLate gets an answer that comes after the limit
 */
export async function within<Answer>(
  limitMs: number,
  asked: Promise<Answer>,
  onLate: (answer: Answer) => void = () => {},
): Promise<Answer> {
  const over = Promise.withResolvers<never>();
  const step = (left: number): NodeJS.Timeout =>
    after('storage', limitMs / STEPS, () => {
      if (left > 1) return void (timer = step(left - 1));
      asked.then(onLate, () => undefined);
      over.reject(new Error('PostgreSQL does not answer'));
    });
  let timer = step(STEPS);
  try {
    return await Promise.race([asked, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}
