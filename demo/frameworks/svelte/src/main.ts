import { setDefaultEndpoint } from 'streamgate/elements';
import { mount } from 'svelte';
import App from './App.svelte';
import { settings } from './settings';

setDefaultEndpoint(settings.endpoint);
mount(App, { target: document.body.appendChild(document.createElement('main')) });
