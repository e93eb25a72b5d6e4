import { setDefaultEndpoint } from 'streamgate/elements';
import { createApp } from 'vue';
import App from './App.vue';
import { settings } from './settings';

setDefaultEndpoint(settings.endpoint);
createApp(App).mount(document.body.appendChild(document.createElement('main')));
