import { AsyncLocalStorage } from 'node:async_hooks';
import { mock } from 'node:test';

/** A process on a machine, whose clocks are its own. */
export class SimulatedProcess {
  readonly #time: VirtualTime;
  readonly #rate: number;
  readonly #bootedAt: number;
  /** How far the time of day is ahead, in ms. */
  wallOffset: number;
  state: 'running' | 'paused' | 'ended' = 'running';
  readonly id: number;

  /** @param rate of its clocks: 1.001 is fast by a thousandth */
  constructor(time: VirtualTime, { rate, wallOffset }: { readonly rate: number; readonly wallOffset: number }) {
    this.#time = time;
    this.id = time.nextProcessId();
    this.#rate = rate;
    this.#bootedAt = time.now - 1_000_000;
    this.wallOffset = wallOffset;
  }

  readonly monotonicNow = (): number => (this.#time.now - this.#bootedAt) * this.#rate;

  /** Milliseconds since 1970. */
  readonly wallNow = (): number => EPOCH + this.#time.now * this.#rate + this.wallOffset;

  /** How long so many milliseconds of its clock take. */
  trueMs(ms: number): number {
    return ms / this.#rate;
  }
}

interface Happening {
  readonly at: number;
  readonly order: number;
  readonly isTimer: boolean;
  readonly owner: SimulatedProcess | undefined;
  readonly run: () => unknown;
  isCancelled: boolean;
}

/** The time of day when a simulation begins. */
export const EPOCH = Date.parse('2030-01-01T00:00:00Z');

const afterMicrotasks = globalThis.setImmediate;

/**
 * Time that passes only from one happening to the next. While it is installed, timers of the code under test are
 * happenings of the process that set them, so that a process can be paused, or end, with all that it waits for.
 */
export class VirtualTime {
  /** Milliseconds. */
  now = 0;
  readonly #current = new AsyncLocalStorage<SimulatedProcess>();
  readonly #heap: Happening[] = [];
  readonly #backlog = new Map<SimulatedProcess, Happening[]>();
  /** Called after each happening, when nothing is left to run at this moment. */
  afterEach: () => void = () => {};
  #order = 0;
  #processes = 0;

  /** Runs `run` in the process after so many milliseconds of true time. Never, if the process has ended by then. */
  after(ms: number, owner: SimulatedProcess | undefined, run: () => unknown, isTimer = false): Happening {
    const happening = { at: this.now + ms, order: (this.#order += 1), isTimer, owner, run, isCancelled: false };
    this.#push(happening);
    return happening;
  }

  /** Resolves in the process after so many milliseconds of true time. */
  pause(ms: number, owner?: SimulatedProcess): Promise<void> {
    return new Promise((resolve) => void this.after(ms, owner, resolve));
  }

  nextProcessId(): number {
    return (this.#processes += 1);
  }

  /** Runs code of the process now. */
  within<Result>(owner: SimulatedProcess, run: () => Result): Result {
    return this.#current.run(owner, run);
  }

  /** @param timersFirst of what fell due meanwhile: the event loop may see either first */
  resume(owner: SimulatedProcess, timersFirst: boolean): void {
    if (owner.state !== 'paused') return;
    owner.state = 'running';
    const due = this.#backlog.get(owner) ?? [];
    this.#backlog.delete(owner);
    const sorted = timersFirst ? [...due.filter((one) => one.isTimer), ...due.filter((one) => !one.isTimer)] : due;
    for (const { isTimer, run, isCancelled } of sorted) if (!isCancelled) this.after(0, owner, run, isTimer);
  }

  /** Lets so many milliseconds pass. */
  async pass(ms: number): Promise<void> {
    const end = this.now + ms;
    await this.settle();
    for (let next = this.#heap[0]; next && next.at <= end; next = this.#heap[0]) {
      this.#pop();
      if (next.isCancelled || next.owner?.state === 'ended') continue;
      this.now = Math.max(this.now, next.at);
      if (next.owner?.state === 'paused') {
        const waiting = this.#backlog.get(next.owner) ?? [];
        this.#backlog.set(next.owner, [...waiting, next]);
        continue;
      }
      if (next.owner) this.#current.run(next.owner, next.run);
      else next.run();
      await this.settle();
      this.afterEach();
    }
    this.now = end;
  }

  /** Everything that waits for nothing but promises has run. */
  async settle(): Promise<void> {
    await new Promise<void>((resolve) => void afterMicrotasks(resolve));
  }

  /** Has timers and clocks of this process follow this time, until the function that it returns is called. */
  install(): () => void {
    const set = (handler: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
      const owner = this.#current.getStore();
      return handleOf(this.after(owner ? owner.trueMs(ms) : ms, owner, () => handler(...args), true));
    };
    const repeat = (handler: (...args: unknown[]) => unknown, ms = 0, ...args: unknown[]) => {
      const handle = handleOf({ isCancelled: false });
      const again = () => {
        if (handle.happening.isCancelled) return;
        handler(...args);
        set(again, ms);
      };
      set(again, ms);
      return handle;
    };
    const clear = (handle: ReturnType<typeof handleOf> | undefined) => {
      if (handle) handle.happening.isCancelled = true;
    };
    const timeout = (ms: number) => {
      const controller = new AbortController();
      set(() => controller.abort(new DOMException('the time is over', 'TimeoutError')), ms);
      return controller.signal;
    };
    const clock = (read: (owner: SimulatedProcess) => number) => () => {
      const owner = this.#current.getStore();
      return owner ? read(owner) : EPOCH + this.now;
    };
    const globals = { setTimeout, clearTimeout, setInterval, clearInterval, setImmediate, clearImmediate };
    const immediate = (handler: (...args: unknown[]) => unknown, ...args: unknown[]) => set(handler, 0, ...args);
    Object.assign(globalThis, {
      setTimeout: set,
      clearTimeout: clear,
      setInterval: repeat,
      clearInterval: clear,
      setImmediate: immediate,
      clearImmediate: clear,
    });
    const mocks = [
      mock.method(AbortSignal, 'timeout', timeout),
      mock.method(
        performance,
        'now',
        clock((owner) => owner.monotonicNow()),
      ),
      mock.method(
        Date,
        'now',
        clock((owner) => Math.round(owner.wallNow())),
      ),
    ];
    return () => {
      Object.assign(globalThis, globals);
      for (const each of mocks) each.mock.restore();
    };
  }

  #push(happening: Happening): void {
    const heap = this.#heap;
    let index = heap.push(happening) - 1;
    for (let parent = (index - 1) >> 1; index > 0 && isBefore(happening, heap[parent]!); parent = (index - 1) >> 1) {
      heap[index] = heap[parent]!;
      index = parent;
    }
    heap[index] = happening;
  }

  #pop(): void {
    const heap = this.#heap;
    const last = heap.pop()!;
    if (heap.length === 0) return;
    let index = 0;
    for (;;) {
      let child = 2 * index + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && isBefore(heap[child + 1]!, heap[child]!)) child += 1;
      if (isBefore(last, heap[child]!)) break;
      heap[index] = heap[child]!;
      index = child;
    }
    heap[index] = last;
  }
}

function isBefore(one: Happening, other: Happening): boolean {
  return one.at === other.at ? one.order < other.order : one.at < other.at;
}

/** What code does with a timer of Node. */
function handleOf(happening: { isCancelled: boolean }) {
  const handle = { happening, ref: () => handle, unref: () => handle };
  return handle;
}
