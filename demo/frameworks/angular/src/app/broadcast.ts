import { Component, DestroyRef, inject, input, signal } from '@angular/core';
import { paint } from './paint';
import { StreamBroadcaster } from './stream-tags';

@Component({
  selector: 'app-broadcast',
  imports: [StreamBroadcaster],
  template: `
    <section>
      <stream-broadcaster
        [streamName]="streamName()"
        [token]="token()"
        [srcObject]="media"
        (stream-live)="status.set('Broadcasting: ' + $event.streamName)"
        (stream-ended)="status.set('Not live')"
        (stream-error)="status.set($event.retrying ? 'Reconnecting' : 'Failed')"
        (stream-rejected)="status.set('Refused: ' + $event.reason)"
      />
      <p role="status">{{ status() }}</p>
    </section>
  `,
})
export class Broadcast {
  readonly streamName = input.required<string>();
  readonly token = input.required<string>();
  protected readonly media: MediaStream;
  protected readonly status = signal('Not live');

  constructor() {
    const life = new AbortController();
    this.media = paint(life.signal);
    inject(DestroyRef).onDestroy(() => life.abort());
  }
}
