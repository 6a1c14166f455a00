import { startApp } from '../shared/start.tsx';

await startApp({ app: 'office', children: null });
