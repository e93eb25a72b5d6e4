import { parameter } from './codecs.js';

/**
 * `a=fmtp` parameters of Opus in the answer to a publisher, from those of the offer (RFC 7587 section 6.1). `stereo`
 * speaks of what its writer wants to receive, and `sprop-stereo` of what it sends: without `stereo=1` in the answer, a
 * publisher that announces stereo would send mono.
 */
export function opusFromPublisher(offered: string): string {
  return parameter(offered, 'sprop-stereo') === '1' ? withParameter(offered, 'stereo', '1') : offered;
}

/** The same for a viewer. `sprop-stereo` of the offer is about what the viewer would send. */
export function opusToViewer(offered: string): string {
  const isStereo = parameter(offered, 'stereo') === '1';
  return withParameter(offered, 'sprop-stereo', isStereo ? '1' : undefined);
}

/** @param value undefined: without the parameter */
function withParameter(parameters: string, name: string, value: string | undefined): string {
  if (parameter(parameters, name) === value) return parameters;
  const others = parameters
    .split(';')
    .filter((part) => part.trim() && part.split('=')[0]!.trim().toLowerCase() !== name);
  return [...others, ...(value === undefined ? [] : [`${name}=${value}`])].join(';');
}
