import type { Stage } from '../test-stages.ts';

/** A stage with those of its files that are run. */
export interface Selection {
  readonly stage: Stage;
  readonly files: readonly string[];
}

/** Whole stages. */
export const whole = (stages: readonly Stage[]): Selection[] =>
  stages.map((stage) => ({ stage, files: stage.files?.() ?? [] }));

/**
 * Stages and test files that are named. A file is run by the stages that are named and have it, or else by the first
 * stage that has it. Of a stage with such files, only these are run.
 * @throws for a name that is neither
 */
export function selectionOf(stages: readonly Stage[], names: readonly string[], files: readonly string[]): Selection[] {
  const unknown = names.filter((name) => !stages.some((stage) => stage.name === name));
  if (unknown.length > 0) {
    const known = stages.map(({ name }) => name).join(', ');
    throw new Error(
      `There is no stage or test file ${unknown.join(', ')}. The stages are: ${known}; and fast, changed.`,
    );
  }
  const all = whole(stages);
  const chosen = new Map<Stage, string[]>();
  for (const file of files) {
    const having = all.filter((one) => one.files.includes(file)).map(({ stage }) => stage);
    const named = having.filter(({ name }) => names.includes(name));
    const owners = named.length > 0 ? named : having.slice(0, 1);
    if (owners.length === 0) throw new Error(`No stage has the test file ${file}.`);
    for (const stage of owners) chosen.set(stage, [...(chosen.get(stage) ?? []), file]);
  }
  return all.flatMap(({ stage, files: every }) => {
    const some = chosen.get(stage);
    if (some) return [{ stage, files: some }];
    return names.includes(stage.name) ? [{ stage, files: every }] : [];
  });
}

/** The command that runs a stage again, or some of its files. */
export function commandOf(stages: readonly Stage[], stage: string, files: readonly string[]): string {
  if (files.length === 0) return `npm test -- ${stage}`;
  const isUsual = files.every((file) => stages.find((one) => one.files?.().includes(file))?.name === stage);
  return ['npm test --', ...(isUsual ? [] : [stage]), ...files].join(' ');
}
