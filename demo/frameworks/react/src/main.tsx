import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { setDefaultEndpoint } from 'streamgate/elements';
import { App } from './App';
import { settings } from './settings';

setDefaultEndpoint(settings.endpoint);

createRoot(document.body.appendChild(document.createElement('main'))).render(
  <StrictMode>
    <App />
  </StrictMode>,
);
