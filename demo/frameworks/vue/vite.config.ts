import vue from '@vitejs/plugin-vue';
import { defineConfig } from 'vite';

export default defineConfig({
  // These are elements of the page, no components of Vue's.
  plugins: [vue({ template: { compilerOptions: { isCustomElement: (tag) => tag.startsWith('stream-') } } })],
});
