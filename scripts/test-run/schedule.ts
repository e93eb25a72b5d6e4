/** What a job takes: seconds of wall time when nothing runs beside it, and of CPU time. */
export interface Cost {
  readonly seconds: number;
  readonly cpu: number;
}

/** Work that is scheduled as one. */
export interface Task {
  readonly stage: string;
  /** The stages that must have ended before. */
  readonly after: readonly string[];
  readonly cost: Cost;
}

/** A task that waits counts for some of a core too, because it needs memory, and its load is no constant. */
const LEAST_LOAD = 0.2;
/** The loads of all tasks that run are together at most the number of cores, and this part more: the peaks of some are the pauses of others. */
const OVERLAP = 0.25;
/** How long a task may take that starts before one that has waited for longer, as a part of the time of that one. */
const MUCH_SHORTER = 0.5;

/** The cores that a task keeps busy on average. */
function loadOf({ cost: { seconds, cpu } }: Task, cores: number): number {
  return seconds > 0 ? Math.min(cores, Math.max(LEAST_LOAD, cpu / seconds)) : LEAST_LOAD;
}

/** Sorts tasks: first those with the longest way to the end of the run, over the tasks that wait for their stage. */
export function longestFirst<T extends Task>(tasks: readonly T[]): T[] {
  const ways = new Map<string, number>();
  /** From the end of a stage to the end of the run. */
  const wayAfter = (stage: string): number => {
    const known = ways.get(stage);
    if (known !== undefined) return known;
    const way = Math.max(0, ...tasks.filter(({ after }) => after.includes(stage)).map(wayOf));
    ways.set(stage, way);
    return way;
  };
  const wayOf = ({ stage, cost }: Task): number => cost.seconds + wayAfter(stage);
  return tasks.toSorted((a, b) => wayOf(b) - wayOf(a));
}

/**
 * The task that starts now: the first whose stages before have ended, if there is room for its load. Meanwhile others that
 * have room start only if they are much shorter. The first would otherwise wait until all others have ended.
 * @param waiting in the order of `longestFirst`
 */
export function nextTask<T extends Task>(waiting: readonly T[], running: readonly T[], cores: number): T | undefined {
  const unfinished = new Set([...waiting, ...running].map(({ stage }) => stage));
  const ready = waiting.filter(({ after }) => !after.some((stage) => unfinished.has(stage)));
  const [first] = ready;
  if (first === undefined || running.length === 0) return first;
  const load = running.reduce((total, task) => total + loadOf(task, cores), 0);
  const isShort = ({ cost }: T): boolean => cost.seconds <= MUCH_SHORTER * first.cost.seconds;
  const fits = (task: T): boolean => load + loadOf(task, cores) <= cores * (1 + OVERLAP);
  return ready.find((task) => (task === first || isShort(task)) && fits(task));
}

/** Divides files into shares that take about as long as each other. @returns at most `most` shares, none of them empty */
export function sharesOf(files: readonly string[], secondsOf: (file: string) => number, most: number): string[][] {
  const shares = Array.from({ length: most }, () => ({ files: [] as string[], seconds: 0 }));
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const least = shares.reduce((a, b) => (b.seconds < a.seconds ? b : a));
    least.files.push(file);
    least.seconds += secondsOf(file);
  }
  return shares.map((share) => share.files).filter((share) => share.length > 0);
}
