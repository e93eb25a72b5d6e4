import { provideZonelessChangeDetection } from '@angular/core';
import { bootstrapApplication } from '@angular/platform-browser';
import { setDefaultEndpoint } from 'streamgate/elements';
import { App } from './app/app';
import { settings } from './app/settings';

setDefaultEndpoint(settings.endpoint);
await bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
