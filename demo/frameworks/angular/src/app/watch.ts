import { Component, input, signal } from '@angular/core';
import { StreamViewer } from './stream-tags';

@Component({
  selector: 'app-watch',
  imports: [StreamViewer],
  template: `
    <section>
      <stream-viewer
        autoplay
        controls
        [streamName]="streamName()"
        [token]="token()"
        (stream-waiting)="status.set('Waiting')"
        (stream-live)="status.set('Live: ' + $event.streamName)"
        (stream-ended)="status.set('Over')"
        (stream-error)="status.set($event.retrying ? 'Reconnecting' : 'Failed')"
        (stream-rejected)="status.set('Refused: ' + $event.reason)"
        (stream-viewer-count)="viewers.set($event.viewers)"
      >
        <p slot="waiting">The doors are open. We begin at eight.</p>
      </stream-viewer>
      <p role="status">{{ status() }}</p>
      <p>{{ viewers() }} watching</p>
    </section>
  `,
})
export class Watch {
  readonly streamName = input.required<string>();
  readonly token = input.required<string>();
  protected readonly status = signal('Connecting');
  protected readonly viewers = signal(0);
}
