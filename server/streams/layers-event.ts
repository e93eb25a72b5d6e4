import type { SourceId } from '../media/media-engine.js';
import { layerReport } from './layer-report.js';
import type { ClientEvent, LayersMeasured } from './stream-event.js';

/** Viewers that are shown the same sources on the same m-lines share one event, which is then encoded once. */
const sharedEvents = new WeakMap<LayersMeasured, Map<string, ClientEvent>>();

/** The event `layers` for a viewer that is shown these sources, by mid. */
export function layersEvent(measured: LayersMeasured, shown: ReadonlyMap<string, SourceId>): ClientEvent {
  const events = sharedEvents.get(measured) ?? new Map<string, ClientEvent>();
  sharedEvents.set(measured, events);
  const key = JSON.stringify([...shown]);
  const known = events.get(key);
  if (known) return known;
  const layersByMid = [...shown].map(([mid, sourceId]) => [mid, measured.layers.get(sourceId) ?? []] as const);
  const event: ClientEvent = { seq: measured.seq, name: 'layers', data: layerReport(layersByMid) };
  events.set(key, event);
  return event;
}
