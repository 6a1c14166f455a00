import { startApp } from '../shared/start.tsx';

await startApp({ app: 'portal', children: null });
