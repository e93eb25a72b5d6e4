import { executeServerCommand } from '@web/test-runner-commands';

/** Taps the middle of what is shown there, or drags from it by so many pixels. It is over when the page was told. */
export async function touch(target: Element, { x, y, width, height } = target.getBoundingClientRect(), by = 0) {
  const start = { x: x + width / 2, y: y + height / 2 };
  await executeServerCommand('touch', [start, { ...start, x: start.x + by }]);
}
