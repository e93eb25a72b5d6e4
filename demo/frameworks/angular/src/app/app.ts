import { Component, computed, signal } from '@angular/core';
import { Broadcast } from './broadcast';
import { settings } from './settings';
import { Watch } from './watch';

@Component({
  selector: 'app-root',
  imports: [Broadcast, Watch],
  template: `
    <h1>Streamgate with Angular</h1>
    <button (click)="isJoined.set(!isJoined())">{{ isJoined() ? 'Leave' : 'Join' }}</button>
    <button (click)="chosen.set(next())">Switch to {{ settings.streams[next()] }}</button>
    @if (isJoined() && settings.token) {
      <app-watch [streamName]="settings.streams[chosen()]" [token]="settings.token" />
    }
    @if (isJoined() && settings.publishToken) {
      <app-broadcast [streamName]="settings.streams[chosen()]" [token]="settings.publishToken" />
    }
  `,
})
export class App {
  protected readonly settings = settings;
  protected readonly isJoined = signal(true);
  protected readonly chosen = signal(0);
  protected readonly next = computed(() => (this.chosen() + 1) % settings.streams.length);
}
